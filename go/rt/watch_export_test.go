package rt

// SetWatchable sets whether the program has a package made by rustgo build --watch.
func SetWatchable(is bool) { watchable.Store(is) }

// Books returns a function that counts the running calls that the active watchdog measures, and the goroutines that run its reports.
func Books() func() (calls, reports int) {
	dog := current.Load()
	return func() (calls, reports int) {
		dog.lock.Lock()
		defer dog.lock.Unlock()
		return len(dog.calls), len(dog.reporting)
	}
}
