module rustgo.dev/bench/files

go 1.26.0

replace (
	rustgo.dev/bench => ../
	rustgo.dev/fixtures => ../../fixtures
	rustgo.dev/go => ../../go
	rustgo.dev/packages => ../../packages
	rustgo.dev/packages/jpeg => ../../packages/jpeg
	rustgo.dev/packages/tokenizers => ../../packages/tokenizers
	rustgo.dev/packages/xlsx => ../../packages/xlsx
)

require (
	github.com/sugarme/tokenizer v0.3.0
	github.com/tealeg/xlsx/v3 v3.3.13
	github.com/tiktoken-go/tokenizer v0.10.0
	github.com/xuri/excelize/v2 v2.11.1
	rustgo.dev/bench v0.0.0
	rustgo.dev/packages/jpeg v0.1.0
	rustgo.dev/packages/tokenizers v0.1.0
	rustgo.dev/packages/xlsx v0.1.0
)

require golang.org/x/image v0.48.0 // indirect

require (
	github.com/dlclark/regexp2/v2 v2.5.1 // indirect
	github.com/emirpasic/gods v1.18.1 // indirect
	github.com/frankban/quicktest v1.14.6 // indirect
	github.com/google/btree v1.0.0 // indirect
	github.com/google/go-cmp v0.5.9 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/patrickmn/go-cache v2.1.0+incompatible // indirect
	github.com/peterbourgon/diskv/v3 v3.0.1 // indirect
	github.com/richardlehane/mscfb v1.0.9 // indirect
	github.com/richardlehane/msoleps v1.0.6 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/rogpeppe/fastuuid v1.2.0 // indirect
	github.com/rogpeppe/go-internal v1.9.0 // indirect
	github.com/schollz/progressbar/v2 v2.15.0 // indirect
	github.com/shabbyrobe/xmlwriter v0.0.0-20200208144257-9fca06d00ffa // indirect
	github.com/sugarme/regexpset v0.0.0-20200920021344-4d4ec8eaf93c // indirect
	github.com/tiendc/go-deepcopy v1.7.2 // indirect
	github.com/xuri/efp v0.0.3-0.20260924042702-217b81952dec // indirect
	github.com/xuri/nfp v0.0.2-0.20250530014748-2ddeb826f9a9 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	rustgo.dev/go v0.1.0 // indirect
)
