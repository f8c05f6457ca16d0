import { importDefender } from './defender/index.ts'
import type { Importer } from './importer.ts'
import { importOpenZeppelinMonitor } from './openzeppelin-monitor/index.ts'
import { importRindexer } from './rindexer/index.ts'
import { importTenderly } from './tenderly/index.ts'
import { importWeb3alert } from './web3alert/index.ts'

/** The tools whose definitions can be imported. */
export const formats = {
  defender: importDefender,
  'openzeppelin-monitor': importOpenZeppelinMonitor,
  rindexer: importRindexer,
  tenderly: importTenderly,
  web3alert: importWeb3alert,
} satisfies Record<string, Importer>

export type Format = keyof typeof formats

export function isFormat(name: string): name is Format {
  return Object.hasOwn(formats, name)
}
