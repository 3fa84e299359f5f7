module rustgo.dev/bench/svg

go 1.26.0

replace (
	rustgo.dev/bench => ../
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../../packages
	rustgo.dev/packages/svg => ../../packages/svg
)

require (
	github.com/srwiley/oksvg v0.0.0-20221011165216-be6e8873101c
	github.com/srwiley/rasterx v0.0.0-20220730225603-2ab79fcdd4ef
	github.com/srwiley/scanx v0.0.0-20190309010443-e94503791388
	golang.org/x/image v0.48.0
	rustgo.dev/bench v0.0.0
	rustgo.dev/packages/svg v0.1.0
)

require (
	github.com/BurntSushi/freetype-go v0.0.0-20160129220410-b763ddbfe298 // indirect
	github.com/BurntSushi/graphics-go v0.0.0-20160129215708-b43f31a4a966 // indirect
	github.com/BurntSushi/xgb v0.0.0-20200324125942-20f126ea2843 // indirect
	github.com/BurntSushi/xgbutil v0.0.0-20160919175755-f7c97cef3b4e // indirect
	golang.org/x/net v0.39.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	rustgo.dev/go v0.1.0 // indirect
)
