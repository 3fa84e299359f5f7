module rustgo.dev/bench

go 1.24.0

replace (
	rustgo.dev/fixtures => ../fixtures
	rustgo.dev/go => ../go
	rustgo.dev/packages => ../packages
)

require (
	filippo.io/edwards25519 v1.1.1
	github.com/DataDog/zstd v1.5.7
	github.com/PuerkitoBio/goquery v1.10.3
	github.com/bytedance/sonic v1.15.5
	github.com/klauspost/compress v1.18.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/tidwall/gjson v1.20.1
	github.com/valyala/fastjson v1.6.10
	github.com/zeebo/blake3 v0.2.4
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/net v0.39.0
	gonum.org/v1/plot v0.17.0
	lukechampine.com/blake3 v1.4.1
	rustgo.dev/fixtures v0.0.0
	rustgo.dev/go v0.1.0
	rustgo.dev/packages v0.1.0
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/andybalholm/cascadia v1.3.3 // indirect
	github.com/bytedance/gopkg v0.1.3 // indirect
	github.com/bytedance/sonic/loader v0.5.3 // indirect
	github.com/cloudwego/base64x v0.1.6 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	github.com/twitchyliquid64/golang-asm v0.15.1 // indirect
	golang.org/x/arch v0.0.0-20210923205945-b76863e36670 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/sys v0.32.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)
