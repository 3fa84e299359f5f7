// This file is here so that pin_runtime.go can declare functions whose bodies are in package runtime.
