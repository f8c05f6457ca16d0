/** Common interfaces. They give names to events and calls of contracts whose ABI nobody has published. */

import type { BundledInterface } from './bundled-interface.ts'
import {
  accessControl,
  accessManager,
  diamond,
  entryPoint,
  ownable,
  pausable,
  proxyAdmin,
  safe,
  smartAccount,
} from './control.ts'
import { governor, timelock } from './governance.ts'
import { aavePool, chainlinkAggregator, uniswapV2, uniswapV3, uniswapV4 } from './markets.ts'
import { erc20, erc721, erc1155, erc4626, votes, wrappedNative } from './tokens.ts'

export type { BundledInterface }

/**
 * The most common first. Events with the same signature must differ in the number of indexed inputs, because only that
 * number distinguishes them in a log.
 */
export const interfaces: readonly BundledInterface[] = [
  ...[erc20, erc721, erc1155, wrappedNative, erc4626, votes],
  ...[ownable, accessControl, proxyAdmin, pausable, safe, diamond, timelock, governor, accessManager],
  ...[uniswapV2, uniswapV3, uniswapV4, aavePool, chainlinkAggregator, entryPoint, smartAccount],
]
