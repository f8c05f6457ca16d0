import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { serviceEnvironment, serviceFlags, sourceFlags } from '../../scripts/typescript.mjs'

export type Measured = { pid: number; url: string; output: string; stop(): Promise<void> }

/** Starts a server in its own process; `startMs` is the time from spawning to the line with its address. */
export async function startServer(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Measured & { startMs: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, [...sourceFlags, ...serviceFlags, file, ...args], {
    env: { ...serviceEnvironment, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  let output = ''
  const url = await new Promise<string>((serving, failed) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      // A service without the API serves no address.
      const found = /serving at (http:\S+)|is following chains/.exec(output)
      if (found) serving(found[1] ?? '')
    })
    void exited.then(() => failed(new Error(`${file} ended: ${output}`)))
  })
  const startMs = performance.now() - began
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { pid: child.pid ?? 0, url, output, startMs, stop }
}

/** CPU time of a process so far, in microseconds: the kernel's count for all threads. */
export function cpuMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanos = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))
  return nanos.reduce((sum, one) => sum + one, 0) / 1000
}

export function rssMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export function get(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((done, failed) => {
    const sent = request(url, { agent, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () =>
        response.statusCode === 200 ? done(body) : failed(new Error(`${response.statusCode} ${body}`)),
      )
    })
    sent.on('error', failed)
    sent.end()
  })
}

export type Target = { pid: number; url: string }

/** V8 needs this many requests to optimise a service of this size; the baseline needs far fewer. */
const warmUpRequests = 16_000
const rounds = 30
const burst = 400

/**
 * CPU microseconds per request of each target, one figure per round. Short bursts run in turns, forwards and backwards, so
 * that other load on the machine affects all targets equally.
 */
export async function compareCpu<Name extends string>(
  targets: readonly (Target & { name: Name })[],
  headers: Record<string, string>,
): Promise<(name: Name) => number[]> {
  for (const { url } of targets) await getMany(url, headers, warmUpRequests)
  const took = new Map(targets.map(({ name }): [Name, number[]] => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const { name, pid, url } of round % 2 === 0 ? targets : targets.toReversed()) {
      const before = cpuMicros(pid)
      await getMany(url, headers, burst)
      took.get(name)?.push((cpuMicros(pid) - before) / burst)
    }
  return (name) => took.get(name) ?? []
}

/** Sends sixteen requests at a time. */
async function getMany(url: string, headers: Record<string, string>, count: number): Promise<void> {
  let left = count
  const getOn = async () => {
    while (left-- > 0) await get(url, headers)
  }
  await Promise.all(Array.from({ length: 16 }, getOn))
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
