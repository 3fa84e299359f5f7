//go:build amd64 || arm64

package svg_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"

	"rustgo.dev/packages/svg"
)

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12" width="240">
	<rect width="24" height="12" rx="3" fill="#36c"/><circle cx="6" cy="6" r="4" fill="white"/>
	<text x="11" y="8" font-size="6" fill="white">Go</text>
</svg>`

func Example() {
	font, err := os.ReadFile("testdata/Go-Regular.ttf")
	if err != nil {
		fmt.Println(err)
		return
	}
	fonts, err := svg.NewFonts(font)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := svg.Parse([]byte(logo), &svg.Options{Fonts: fonts})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	picture, err := d.Render(480, 0) // the height follows from the width
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(picture.Bounds(), picture.At(120, 120))
	// Output: (0,0)-(480,240) {255 255 255 255}
}

// A document is drawn over a part of a picture.
func ExampleDocument_Draw() {
	d, err := svg.Parse([]byte(logo), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	page := image.NewRGBA(image.Rect(0, 0, 300, 200))
	draw.Draw(page, page.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	width, height := d.Fit(100, 100)
	if err := d.Draw(page, image.Rect(180, 20, 180+width, 20+height), draw.Over); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.At(250, 60), page.At(10, 10))
	// Output: {51 102 204 255} {255 255 255 255}
}

// A document can state any size, but not make a program allocate it.
func ExampleLimits() {
	bomb := `<svg xmlns="http://www.w3.org/2000/svg" width="1000000000" height="1000000000"/>`
	d, err := svg.Parse([]byte(bomb), &svg.Options{Limits: svg.Limits{MaxPixels: 1 << 22}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	_, err = d.Render(0, 0)
	fmt.Println(errors.Is(err, svg.ErrTooLarge))
	fmt.Println(err)
	// Output:
	// true
	// svg: too large: a picture of 1000000000 × 1000000000 pixels, with a limit of 4194304 (MaxPixels)
}
