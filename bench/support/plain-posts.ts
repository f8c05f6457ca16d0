/** The baseline for a fan-out: a plain script that signs and sends one request per webhook with fetch, and records nothing. */
import { hookUrl, signedPost } from './signed-post.ts'

const [, , base = '', count = '0', bytes = '0', rounds = '1', hosts = ''] = process.argv
const atOnce = 64
const filler = 'x'.repeat(Number(bytes))
const measured = []
for (let round = 0; round < Number(rounds); round++) {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let next = 0
  const sendAll = async () => {
    for (let at = next++; at < Number(count); at = next++) {
      const id = `al_${round}_${at}`
      await signedPost(hookUrl(base, at, hosts), id, JSON.stringify({ id, filler }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendAll))
  const { user, system } = process.cpuUsage(before)
  measured.push({ tookMs: performance.now() - startedAt, cpuMicros: user + system })
}
console.log(JSON.stringify(measured))
process.exit()
