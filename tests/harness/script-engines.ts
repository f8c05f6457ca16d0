import { describe } from 'vitest'
import { chooseEngine } from '../../server/src/engine/script/engines.ts'

/** isolated-vm is not a dependency: it is available if it is installed or NODE_PATH leads to it. */
export const hasIsolatedVm = chooseEngine('auto').name === 'isolated-vm'

/** Runs a suite for each engine. The suite of a missing engine is reported as skipped. */
export function describeEngines(suite: (engine: 'quickjs' | 'isolated-vm') => void): void {
  describe('quickjs', () => suite('quickjs'))
  describe.runIf(hasIsolatedVm)('isolated-vm', () => suite('isolated-vm'))
}
