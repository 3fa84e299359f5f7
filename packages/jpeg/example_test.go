//go:build amd64 || arm64

package jpeg_test

import (
	"errors"
	"fmt"
	"os"

	"rustgo.dev/packages/jpeg"
)

func Example() {
	file, err := os.ReadFile("testdata/video-001.progressive.jpeg")
	if err != nil {
		fmt.Println(err)
		return
	}
	picture, err := jpeg.DecodeBytes(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%T %v\n", picture, picture.Bounds())
	_, err = jpeg.DecodeBytes([]byte("GIF89a"))
	fmt.Println(errors.Is(err, jpeg.ErrFormat))
	// Output:
	// *image.RGBA (0,0)-(150,103)
	// true
}
