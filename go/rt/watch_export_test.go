package rt

// SetWatchable says whether the program has a package that can be watched.
func SetWatchable(is bool) { watchable.Store(is) }

// Books returns what counts the calls under way and the reports of the watchdog that runs.
func Books() func() (calls, reports int) {
	dog := current.Load()
	return func() (calls, reports int) {
		dog.lock.Lock()
		defer dog.lock.Unlock()
		return len(dog.calls), len(dog.reporting)
	}
}
