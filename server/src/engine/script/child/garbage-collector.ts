import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Node gives it away only by a flag, which would show it in every world that is made later, scripts' included. */
export function takeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
