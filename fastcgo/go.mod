module rustgo.dev/fastcgo

go 1.24
