import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import { median, startServer } from './support/measure.ts'
import { compareTimes } from './support/rank-test.ts'
import { printRow } from './support/row.ts'

/**
 * `npm run bench -- mailboxes [--pairs 300]`: can a stranger tell by the time of the replies which mailboxes have an account?
 * Requests about known and unknown mailboxes are sent in turns. A rank test compares their times: "2.1 σ" means that
 * two equal lots differ at least this much in 4 % of runs. Each request names a caller of its own, because repeated attempts
 * of one caller have to wait.
 */
const pairs = Number(process.argv[process.argv.indexOf('--pairs') + 1]) || 300
const sigmaMax = 3
let callers = 0
const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const service = await startServer('server/src/main.ts', [], {
  PORT: '0',
  ROLE: 'api',
  DATA_DIR: folder,
  TRUST_PROXY: 'on',
  RATE_ADDRESS_PER_MINUTE: '100000000',
  // The API only adds a job for the mail, so nothing is sent.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Tocsin <alerts@tocsin.example>',
  LOG_LEVEL: 'error',
})
const nobody = createClient({ baseUrl: service.url, retries: 0 })
const password = 'correct horse battery'
const known = Array.from({ length: pairs }, (_, at) => `known-${at}@example.org`)
for (const email of known) await nobody.signUp({ body: { email, password, name: 'Known' } })

const questions = {
  'sign-in with a wrong password': { path: '/api/auth/sign-in', more: { password: 'not the password' } },
  'forgotten password': { path: '/api/auth/forgot', more: {} },
}
for (const [what, { path, more }] of Object.entries(questions)) {
  const times = { known: [] as number[], unknown: [] as number[] }
  // The first round warms up the service and is not counted.
  for (const round of [0, 1]) {
    if (round === 1) times.known.length = times.unknown.length = 0
    for (const [at, email] of known.entries()) {
      const ask = async (lot: keyof typeof times) => {
        const asked = lot === 'known' ? email : `unknown-${round}-${at}@example.org`
        times[lot].push(await timeOf(path, { email: asked, ...more }))
      }
      for (const lot of at % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) await ask(lot)
    }
  }
  const { sigmas, share } = compareTimes(times.known, times.unknown)
  printRow({
    what: `time of the reply to ${pairs} known and ${pairs} unknown mailboxes`,
    part: what,
    wanted: `≤ ${sigmaMax} σ`,
    seen: `${Math.abs(sigmas).toFixed(1)} σ`,
    ok: Math.abs(sigmas) <= sigmaMax,
    details: `median ${median(times.known).toFixed(2)} ms known, ${median(times.unknown).toFixed(2)} ms unknown; a known one is slower in ${(share * 100).toFixed(0)} % of pairs`,
  })
}
await service.stop()
rmSync(folder, { recursive: true, force: true })

async function timeOf(path: string, body: object): Promise<number> {
  callers += 1
  const caller = `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
  const began = performance.now()
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': caller },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  const took = performance.now() - began
  if (response.status !== 401 && response.status !== 204) throw new Error(`${path} answered ${response.status}`)
  return took
}
