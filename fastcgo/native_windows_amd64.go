package fastcgo

const native = windows64
