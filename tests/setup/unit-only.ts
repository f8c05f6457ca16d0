import { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import pg from 'pg'

/** Keeps the rule of the tier: a unit test starts no other process (PostgreSQL, a service, a browser) and reaches no PostgreSQL. */
function refusal(what: string): Error {
  return new Error(
    `A unit test must not ${what}: name the file *.service.test.ts or move it to tests/ (CONTRIBUTING.md, “Tests”).`,
  )
}

/** Every way to start a process without waiting for its end comes here. */
function refuseToSpawn({ file }: { file: string }): never {
  throw refusal(`start ${basename(file)}`)
}
Object.assign(ChildProcess.prototype, { spawn: refuseToSpawn })

function refuseToConnect(connected?: (error: Error) => void): Promise<never> | undefined {
  const error = refusal('connect to PostgreSQL')
  if (!connected) return Promise.reject(error)
  process.nextTick(connected, error)
  return undefined
}
Object.assign(pg.Client.prototype, { connect: refuseToConnect })
