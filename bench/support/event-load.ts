import { setTimeout as pause } from 'node:timers/promises'
import { type EvmNode, startEvmNode } from '../../tests/nodes/evm.ts'
import { numberedEmitter } from '../../tests/nodes/evm-contracts.ts'
import { get, type Measured, startServer } from './measure.ts'
import { transferTopic } from './runtime-house.ts'

export type EventLoad = {
  node: EvmNode
  receiver: Measured
  /** Mines at least this many transfers, at most `aheadMax` ahead of their deliveries. Returns how many. */
  mine(events: number, aheadMax?: number): Promise<number>
  close(): Promise<void>
}

const aheadDefault = 10_000
/** Logs per transaction, and transactions per block. */
const [perTransaction, perBlock] = [200, 10]

/** An EVM node with a contract that emits many transfers to `wallets` addresses in turns, and a receiver that counts webhooks. */
export async function startEventLoad(wallets = 1): Promise<EventLoad> {
  const node = await startEvmNode()
  const receiver = await startServer('bench/support/count-hooks.ts', [], {})
  const contract = await node.deploy(numberedEmitter(3, perTransaction, wallets))
  const word = (hex: string) => hex.padStart(64, '0')
  const data = `${transferTopic}${word('aa')}${word('de0b6b3a7640000')}`
  await node.request('evm_setAutomine', [false])
  const mine = async (events: number, aheadMax = aheadDefault) => {
    const blocks = Math.ceil(events / perTransaction / perBlock)
    const before = Number(await get(receiver.url, {}))
    for (let block = 0; block < blocks; block++) {
      const mined = before + block * perBlock * perTransaction
      while (mined - Number(await get(receiver.url, {})) > aheadMax) await pause(20)
      for (let sent = 0; sent < perBlock; sent++)
        await node.request('eth_sendTransaction', [{ from: node.account, to: contract, data, gas: '0x7a120' }])
      await node.request('evm_mine', [])
    }
    return blocks * perBlock * perTransaction
  }
  const close = async () => {
    await receiver.stop()
    await node.close()
  }
  return { node, receiver, mine, close }
}
