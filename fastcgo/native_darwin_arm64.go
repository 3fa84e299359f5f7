package fastcgo

const native = apple64
