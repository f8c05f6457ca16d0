/**
 * The baselines for throughput: a plain script with viem reads the logs of existing blocks and sends one request per log.
 * `bare` sends two fields of each log as they are. `signed` does what a script needs to do instead of the service: it decodes
 * the event and sends a signed body with the fields of a webhook. Neither records anything.
 */
import { createPublicClient, type Hex, http, parseAbiItem } from 'viem'
import { signedPost } from './signed-post.ts'

const [, , mode = 'bare', endpoint = '', hook = '', topic = '', from = '0', to = '0', destinations = '1'] = process.argv
const atOnce = 32
const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const client = createPublicClient({ transport: http(endpoint) })
console.log(`serving at ${hook}`)
process.once('SIGTERM', () => process.exit())
// The process stays until the benchmark has read its CPU time.
setTimeout(() => process.exit(), 600_000)

for (let block = BigInt(from); block <= BigInt(to); block++) {
  const sends = mode === 'bare' ? await bareSends(block) : await signedSends(block)
  const work = async () => {
    for (let send = sends.pop(); send; send = sends.pop()) await send()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function bareSends(block: bigint): Promise<(() => Promise<unknown>)[]> {
  const logs = await client.getLogs({ fromBlock: block, toBlock: block })
  const wanted = logs.filter((log) => (log.topics as Hex[])[0] === topic)
  return wanted.map(({ topics, data, blockHash }) => () => {
    const body = JSON.stringify({ data, at: blockHash })
    return fetch(urlFor((topics as Hex[])[2]), { method: 'POST', body })
  })
}

async function signedSends(block: bigint): Promise<(() => Promise<unknown>)[]> {
  const logs = await client.getLogs({ event, fromBlock: block, toBlock: block })
  return logs.map(
    ({ args, eventName, topics, blockNumber, blockHash, logIndex, transactionIndex, transactionHash, address, data }) =>
      () => {
        const id = `${blockHash}-${logIndex}`
        const params = { from: args.from, to: args.to, value: String(args.value) }
        const where = {
          blockNumber: Number(blockNumber),
          blockHash,
          transactionHash,
          transactionIndex,
          index: logIndex,
        }
        const item = { address, ...where, data, topics, event: eventName, args: Object.values(params), params }
        const about = {
          subscription: 'sub',
          workspace: 'bench',
          project: 'bench.p',
          trigger: 'bench.p.t',
          severity: 'info',
        }
        const at = { source: 'bench.s', block: { number: where.blockNumber, hash: blockHash } }
        const alert = { id, ...about, message: { title: 'Transfer' }, raw: item, human: item, ...at }
        const body = JSON.stringify({ type: 'alert', id, timestamp: new Date().toISOString(), data: alert })
        return signedPost(urlFor(topics[2]), id, body)
      },
  )
}

function urlFor(receiver: Hex | undefined): string {
  return `${hook}/${Number(receiver) % Number(destinations)}`
}
