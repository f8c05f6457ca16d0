import { type ChildProcess, spawn } from 'node:child_process'
import { neutralFolder, type RunAs } from './run-as.ts'

/** Runs one of the server's programs until it ends. */
export function runProgram(program: string, args: string[], runAs: RunAs): Promise<void> {
  const child = spawnProgram(program, args, runAs, 'pipe')
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} failed (${code}): ${said.slice(-1000)}`))
    })
  })
}

/** Starts the server detached, so that a crash of the service does not stop the database. */
export function spawnServer(program: string, args: string[], runAs: RunAs, logFile: number): ChildProcess {
  const child = spawnProgram(program, args, runAs, logFile)
  child.unref()
  return child
}

function spawnProgram(program: string, args: string[], runAs: RunAs, output: 'pipe' | number): ChildProcess {
  const [command = program, ...rest] = [...runAs.prefix, program, ...args]
  return spawn(command, rest, {
    ...runAs.user,
    cwd: neutralFolder,
    env: serverEnvironment(),
    stdio: ['ignore', output, output],
    detached: output !== 'pipe',
    windowsHide: true,
  })
}

/** Passes no environment of the service, because it holds secrets and PG… variables would change the server. */
function serverEnvironment(): NodeJS.ProcessEnv | undefined {
  // Windows finds its own libraries through the environment, so it is inherited there.
  return process.platform === 'win32' ? undefined : { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}
