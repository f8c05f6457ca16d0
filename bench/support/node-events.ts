import { deployment, emitter } from '../../tests/nodes/evm-contracts.ts'
import { transferTopic } from './runtime-house.ts'

/** Logs per transaction, and transactions per block. */
const [perTransaction, perBlock] = [200, 10]
const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export type EventMiner = {
  /** The address of the contract that emits the events. */
  contract: string
  /** Mines blocks of 2,000 transfers each and returns the number of transfers. */
  mine(events: number): Promise<number>
  mineEmpty(blocks: number): Promise<void>
}

/** Mines transfers on a node that runs in another process. */
export async function openEventMiner(url: string): Promise<EventMiner> {
  const word = (hex: string) => hex.padStart(64, '0')
  const data = `${transferTopic}${word('aa')}${word('bb')}${word('de0b6b3a7640000')}`
  const runtime = `${emitter(3).slice(0, -2).repeat(perTransaction)}00`
  const hash = await ask(url, 'eth_sendTransaction', [{ from: account, data: deployment(runtime), gas: '0xe4e1c0' }])
  const receipt = await ask(url, 'eth_getTransactionReceipt', [hash])
  const contract = String(Object(receipt).contractAddress)
  await ask(url, 'evm_setAutomine', [false])
  const mine = async (events: number) => {
    const blocks = Math.ceil(events / perTransaction / perBlock)
    for (let block = 0; block < blocks; block++) {
      for (let sent = 0; sent < perBlock; sent++)
        await ask(url, 'eth_sendTransaction', [{ from: account, to: contract, data, gas: '0x7a120' }])
      await ask(url, 'evm_mine', [])
    }
    return blocks * perBlock * perTransaction
  }
  const mineEmpty = async (blocks: number) => {
    for (let block = 0; block < blocks; block++) await ask(url, 'evm_mine', [])
  }
  return { contract, mine, mineEmpty }
}

async function ask(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error }: { result?: unknown; error?: unknown } = JSON.parse(await reply.text())
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}
