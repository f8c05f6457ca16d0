// Loaded into the service before its own code: when the script that started it is killed hard, the channel between
// the two closes, and the service stops as if it had been asked to. The channel alone keeps nothing running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
