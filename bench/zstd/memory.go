//go:build linux

package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// memory prints by how much the resident memory of a process grows at its peak while the process compresses and decompresses once. Source and
// destination are resident before. Each measurement runs in a new process, and memory prints the median of the passes.
func memory(sizes, levels []int, passes int) {
	fmt.Fprintln(os.Stderr, "MiB")
	fmt.Print("| bytes | level |")
	names := ways(3)
	for _, w := range names {
		fmt.Printf(" %s |", w.name)
	}
	fmt.Println()
	for _, size := range sizes {
		for _, level := range levels {
			fmt.Printf("| %d | %d |", size, level)
			for way := range names {
				var grown []float64
				for range passes {
					grown = append(grown, grows(size, level, way))
				}
				slices.Sort(grown)
				fmt.Printf(" %.1f |", grown[len(grown)/2]/1024)
			}
			fmt.Println()
		}
	}
}

// grows starts this program in a new process, which calls alone. It returns the number of KiB that the process prints.
func grows(size, level, way int) float64 {
	command := exec.Command(must(os.Executable()), "-alone", strconv.Itoa(way), "-sizes", strconv.Itoa(size), "-levels", strconv.Itoa(level))
	command.Stderr = os.Stderr
	return must(strconv.ParseFloat(strings.TrimSpace(string(must(command.Output()))), 64))
}

// alone prints how many KiB this process grows by at its peak.
func alone(src []byte, level, way int) {
	room, back := make([]byte, len(src)+len(src)/64+1024), make([]byte, len(src)+64)
	for _, buffer := range [][]byte{room, back} {
		for i := range buffer {
			buffer[i] = 1
		}
	}
	debug.FreeOSMemory()
	// Writing 5 sets the peak value VmHWM to the current resident memory: proc(5), clear_refs.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		log.Fatal(err)
	}
	before := status("VmRSS")
	w := ways(level)[way]
	w.decompress(back[:0], w.compress(room[:0], src))
	fmt.Println(status("VmHWM") - before)
	runtime.KeepAlive(src)
	runtime.KeepAlive(room)
	runtime.KeepAlive(back)
}

// status returns a value of /proc/self/status in KiB.
func status(name string) int {
	found := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(must(os.ReadFile("/proc/self/status")))
	if found == nil {
		log.Fatal("/proc/self/status has no ", name)
	}
	return must(strconv.Atoi(string(found[1])))
}
