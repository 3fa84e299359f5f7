package zstd_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"rustgo.dev/packages/zstd"
)

func Example() {
	var packed bytes.Buffer
	e := zstd.NewEncoder(&packed, &zstd.EncoderOptions{Level: 9, Checksum: true})
	if _, err := io.WriteString(e, strings.Repeat("so much to say ", 1000)); err != nil {
		log.Fatal(err)
	}
	if err := e.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("less than 100 bytes:", packed.Len() < 100)

	d := zstd.NewDecoder(&packed, nil)
	defer d.Close()
	if _, err := io.Copy(os.Stdout, io.LimitReader(d, 29)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// less than 100 bytes: true
	// so much to say so much to say
}

func ExampleAppendCompress() {
	packed, err := zstd.AppendCompress(nil, []byte(strings.Repeat("so much to say ", 1000)), zstd.DefaultCompression)
	if err != nil {
		log.Fatal(err)
	}
	text, err := zstd.AppendDecompress(nil, packed, 1<<20)
	fmt.Println(len(text), err)
	_, err = zstd.AppendDecompress(nil, packed, 100)
	fmt.Println(err)
	// Output:
	// 15000 <nil>
	// zstd: the decompressed data is longer than the limit
}

func ExampleEncoder_Flush() {
	reader, writer := io.Pipe()
	go func() {
		e := zstd.NewEncoder(writer, nil)
		io.WriteString(e, "what is flushed can be read")
		e.Flush()
		io.WriteString(e, ", and the rest later")
		writer.CloseWithError(e.Close())
	}()
	d := zstd.NewDecoder(reader, nil)
	begin := make([]byte, 27)
	io.ReadFull(d, begin)
	fmt.Println(string(begin))
	rest, err := io.ReadAll(d)
	fmt.Println(string(rest), err)
	// Output:
	// what is flushed can be read
	// , and the rest later <nil>
}
