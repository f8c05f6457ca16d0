import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { project, trigger } from '../tests/harness/records.ts'
import { rssMegabytes, startServer } from './support/measure.ts'
import { type SoakRequest, soakPictures, soakRequests } from './support/soak-requests.ts'

/**
 * `npm run bench -- soak [minutes] [requests per second]`: generated requests to every route, and one picture per ten
 * requests. Once a minute it prints the memory of the service: RSS, V8's heap and the memory outside the heap.
 */
const [minutes, perSecond] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 12)]
const token = 'tcn_personal_soak_soak_soak_soak_soak_soak'
const folder = mkdtempSync(join(tmpdir(), 'tocsin-soak-'))
const unlimited = {
  RATE_ACCOUNT_PER_MINUTE: '1000000',
  RATE_ADDRESS_PER_MINUTE: '1000000',
  RATE_TESTS_PER_MINUTE: '1000000',
}
const server = await startServer('server/src/main.ts', [], {
  ...{
    PORT: '0',
    DATA_DIR: folder,
    MARKETPLACE: 'off',
    LOG_LEVEL: 'silent',
    ADMIN_TOKEN: token,
    SECURE_SETUP: 'on',
    ...unlimited,
  },
})
const requests = soakRequests()
const pictures = await soakPictures(12)
const statuses = new Map<string, number>()
let sent = 0

await furnish()
console.log('minute  requests  pictures  rss MB  heap MB  external MB')
const began = performance.now()
for (let minute = 0; minute <= minutes; minute++) {
  await report(minute)
  if (minute < minutes) await sendUntil(began + (minute + 1) * 60_000)
}
console.log(`answers: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`)
await server.stop()
rmSync(folder, { recursive: true, force: true })

/** Sends 24 requests at a time, because some of them wait for the network. */
async function sendUntil(endsAt: number): Promise<void> {
  await Promise.all(Array.from({ length: 24 }, () => sendInTurn(endsAt)))
}

async function sendInTurn(endsAt: number): Promise<void> {
  while (performance.now() < endsAt) {
    const number = ++sent
    const due = began + (number / perSecond) * 1000
    if (due > performance.now()) await pause(due - performance.now())
    const picture = number % 11 === 0 ? pictures[(number / 11) % pictures.length] : undefined
    await send(picture ?? requests.next().value)
    if (number % 500 === 0) await furnish()
  }
}

async function send({ method, path, body, isSignedIn }: SoakRequest): Promise<void> {
  const headers = {
    ...(isSignedIn && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(40_000)
  const kind = await fetch(`${server.url}${path}`, { method, headers, signal, ...(body !== undefined && { body }) })
    .then(async (answer) => {
      await answer.arrayBuffer()
      return `${Math.floor(answer.status / 100)}xx`
    })
    .catch((error: Error) => `${error.name} at ${method} ${path.replace(/\?.*/, '')}`)
  statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
}

/** Creates the entities again that the requests deleted, so that later requests find something. */
async function furnish(): Promise<void> {
  const save = (path: string, body: unknown) =>
    send({ method: 'PUT', path: `/api/${path}`, body: JSON.stringify(body), isSignedIn: true })
  await save('workspaces/mine', { fullname: 'mine' })
  await save('projects/mine.app', project('mine.app'))
  await save('triggers/mine.app.moved', trigger('mine.app.moved'))
}

async function report(minute: number): Promise<void> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const megabytes = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 2 ** 20)
  const uploads = Math.floor(sent / 11)
  const figures = [minute, sent - uploads, uploads, Math.round(rssMegabytes(server.pid))]
  const held = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'].map(megabytes)
  console.log([...figures, ...held].map((figure) => String(figure).padStart(8)).join(''))
}
