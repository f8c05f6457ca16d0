// Loaded into the service before its own code. If the script that started the service is killed with SIGKILL, the IPC
// channel between them closes, and the service stops as after a signal. The channel alone does not keep the process alive.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
