/** The baseline for a fan-out: a plain script that signs and sends one request per webhook with fetch, and records nothing. */
import { createHmac } from 'node:crypto'
import { hookUrl } from './hook-url.ts'

const [, , base = '', count = '0', bytes = '0', rounds = '1', hosts = ''] = process.argv
const atOnce = 64
const filler = 'x'.repeat(Number(bytes))
const measured = []
for (let round = 0; round < Number(rounds); round++) {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let next = 0
  const sendAll = async () => {
    for (let at = next++; at < Number(count); at = next++) await post(hookUrl(base, at, hosts), `al_${round}_${at}`)
  }
  await Promise.all(Array.from({ length: atOnce }, sendAll))
  const { user, system } = process.cpuUsage(before)
  measured.push({ tookMs: performance.now() - startedAt, cpuMicros: user + system })
}
console.log(JSON.stringify(measured))
process.exit()

async function post(url: string, id: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const body = JSON.stringify({ id, filler })
  const signature = createHmac('sha256', 's').update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
}
