import { describe } from 'vitest'
import { chooseEngine } from '../../server/src/engine/script/engines.ts'

/** isolated-vm is no dependency: it is there where it is installed, or where NODE_PATH leads to it. */
export const hasIsolatedVm = chooseEngine('auto').name === 'isolated-vm'

/** A suite for each engine. For one that is not there it is reported as skipped, so that nobody takes it for tested. */
export function describeEngines(suite: (engine: 'quickjs' | 'isolated-vm') => void): void {
  describe('quickjs', () => suite('quickjs'))
  describe.runIf(hasIsolatedVm)('isolated-vm', () => suite('isolated-vm'))
}
