/** The baseline for throughput: a plain script with viem reads the logs of existing blocks and sends one request per log. */
import { createPublicClient, type Hex, http } from 'viem'

const [, , endpoint = '', hook = '', topic = '', from = '0', to = '0', destinations = '1'] = process.argv
const atOnce = 32
const client = createPublicClient({ transport: http(endpoint) })
console.log(`serving at ${hook}`)
process.once('SIGTERM', () => process.exit())
// The process stays until the benchmark has read its CPU time.
setTimeout(() => process.exit(), 600_000)

for (let block = BigInt(from); block <= BigInt(to); block++) {
  const logs = await client.getLogs({ fromBlock: block, toBlock: block })
  const wanted = logs.filter((log) => (log.topics as Hex[])[0] === topic)
  const send = async () => {
    for (let log = wanted.pop(); log; log = wanted.pop())
      await fetch(`${hook}/${Number((log.topics as Hex[])[2]) % Number(destinations)}`, {
        method: 'POST',
        body: JSON.stringify({ data: log.data, at: log.blockHash }),
      })
  }
  await Promise.all(Array.from({ length: atOnce }, send))
}
