// This file has no code. The compiler accepts the functions without bodies in pin_runtime.go only if the package has an assembly file.
