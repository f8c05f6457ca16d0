import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { inject } from 'vitest'
import type { EvmNode } from '../../nodes/evm.ts'
import { anyEmitter, emission } from '../../nodes/evm-contracts.ts'

export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

/** A service with the marketplace, whose Ethereum is this node. */
export function asEthereum(node: EvmNode): { MARKETPLACE: string; SOURCES_FILE: string } {
  const file = join(mkdtempSync(join(inject('dataFolder'), 'ethereum-')), 'sources.json')
  writeFileSync(file, JSON.stringify({ 'common.ethereum': { endpoints: [node.url] } }))
  return { MARKETPLACE: 'on', SOURCES_FILE: file }
}

/** A transfer of whole USDC, by a contract at its address on Ethereum. */
export async function transferUsdc(node: EvmNode, tokens: bigint, to: `0x${string}` = usdc): Promise<void> {
  const topics = encodeEventTopics({ abi, args: { from: usdc, to } }) as string[]
  const data = encodeAbiParameters([{ type: 'uint256' }], [tokens * 10n ** 6n])
  await node.request('hardhat_setCode', [usdc, `0x${anyEmitter()}`])
  await node.send({ to: usdc, data: emission(topics, data) })
}
