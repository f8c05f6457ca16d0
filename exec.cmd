@rem For `npm start`: POSIX shells have `exec`, which lets signals reach the service. cmd.exe runs this instead.
@%*
