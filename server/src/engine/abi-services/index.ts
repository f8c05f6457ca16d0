/** Services with the ABIs of verified contracts: Sourcify, Etherscan and Blockscout. The operator configures them. */
import type { Door } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import {
  type AbiServiceName,
  type AbiServicesConfig,
  type AskService,
  Failed,
  getJson,
  type VerifiedContract,
} from './ask-service.ts'
import { blockscout } from './blockscout.ts'
import { etherscan } from './etherscan.ts'
import { sourcify } from './sourcify.ts'

export type { AbiServiceName, AbiServicesConfig, VerifiedContract } from './ask-service.ts'

/** A contract that one of the services knows, or a part of a sentence for each service that says why there is none. */
export type AbiAnswer =
  | { found: VerifiedContract & { source: AbiServiceName } }
  | { found?: undefined; tried: string[]; hasFailed: boolean }

/** Where answers are kept between requests. */
export type AbiCache = { find(): Promise<AbiAnswer | undefined>; save(answer: AbiAnswer): Promise<void> }

export type AbiServices = {
  /** `address` is in lower case. Requests for one contract at the same time ask once. */
  find(chainId: string, address: string, cache: AbiCache): Promise<AbiAnswer>
}

export const publicServices: AbiServicesConfig = {
  order: ['sourcify'],
  sourcifyUrl: 'https://sourcify.dev/server',
  etherscan: { url: 'https://api.etherscan.io/v2/api' },
  blockscoutUrls: {},
}

const titles: Record<AbiServiceName, string> = {
  sourcify: 'Sourcify',
  etherscan: 'Etherscan',
  blockscout: 'Blockscout',
}

export function makeAbiServices(door: Door, config: AbiServicesConfig, timeoutMs: number): AbiServices {
  const running = new Map<string, Promise<AbiAnswer>>()
  const asks: Record<AbiServiceName, AskService> = {
    sourcify: sourcify(config.sourcifyUrl),
    etherscan: etherscan(config.etherscan),
    blockscout: blockscout(config.blockscoutUrls),
  }
  const get = getJson(door, timeoutMs)
  const askAll = async (chainId: string, address: string): Promise<AbiAnswer> => {
    const tried: string[] = []
    let hasFailed = false
    for (const source of config.order) {
      try {
        const found = await asks[source](get, chainId, address)
        if (found) return { found: { ...found, source } }
        tried.push(`${titles[source]} has no verified source of it`)
      } catch (error) {
        if (!(error instanceof Failed || error instanceof UpstreamError)) throw error
        hasFailed = true
        tried.push(`${titles[source]} could not be asked (${error.message.replace(/\.$/, '')})`)
      }
    }
    return { tried, hasFailed }
  }
  const findOnce = async (chainId: string, address: string, cache: AbiCache): Promise<AbiAnswer> => {
    const known = await cache.find()
    if (known) return known
    const answer = await askAll(chainId, address)
    await cache.save(answer)
    return answer
  }
  return {
    find(chainId, address, cache) {
      const key = `${chainId} ${address}`
      const asked = running.get(key) ?? findOnce(chainId, address, cache).finally(() => running.delete(key))
      running.set(key, asked)
      return asked
    },
  }
}
