package fastcgo
