import { chooseEngine, type EngineChoice } from './engines.ts'

/**
 * The engines that the tests go through: isolated-vm is no dependency, so only where it is installed, or where NODE_PATH
 * leads to it.
 */
export const testedEngines: EngineChoice[] =
  chooseEngine('auto').name === 'isolated-vm' ? ['quickjs', 'isolated-vm'] : ['quickjs']

/** For the name of a test, so that nobody takes for tested what is not there. */
export const testedHere = testedEngines.includes('isolated-vm')
  ? 'quickjs and isolated-vm'
  : 'quickjs alone: isolated-vm is not installed, and was NOT tested'
