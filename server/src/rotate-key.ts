/**
 * `npm run rotate-key`: seals all secrets of the store with a new key, also while the service runs. With a key file it makes
 * the new key and replaces the file. With SECRET_KEY it takes the new key from SECRET_KEY_NEXT; after all processes have
 * the new one as SECRET_KEY, `npm run rotate-key -- --finish` removes the old one from the store.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readArguments, runCommand } from './command.ts'
import { type Config, loadConfig } from './config.ts'
import { openForExport, requireOwner } from './open-archive-store.ts'
import { knownAfterMs } from './store/core/key-ring.ts'
import { finishRotation, type RotateOptions, rotateKey } from './store/core/rotate-key.ts'
import { findNextKey, findSecretKey, keyOf, prepareNextKey, replaceKeyFile } from './store/core/secret-key.ts'

const howToFinish = 'Then run: npm run rotate-key -- --finish'

await runCommand(async (signal) => {
  const { values } = readArguments('Usage: npm run rotate-key [-- --finish]', { finish: { type: 'boolean' } })
  const config = loadConfig(process.env)
  // A key file of another user could not be read by the service.
  if (config.secretKey === undefined) requireOwner(config.dataDir)
  const key = findSecretKey(config.secretKey, config.dataDir)
  if (!key) throw new Error('There is no key to replace: the service has not been started yet.')
  const store = await openForExport(config)
  const untilKnown = async () => {
    console.log(`Waiting ${knownAfterMs / 1_000} s, until every process knows the new key`)
    await pause(knownAfterMs, undefined, { signal })
  }
  try {
    if (values.finish) await finish(store.url, key)
    else if (config.secretKey === undefined)
      await rotateFile(store.url, key, config, { log: console.log, signal, untilKnown })
    else await rotateVariable(store.url, key, config, { log: console.log, signal, untilKnown })
  } finally {
    await store.close()
  }
})

async function rotateFile(url: string, old: Buffer, config: Config, options: RotateOptions): Promise<void> {
  // A rotation that was killed after it replaced the file is only to be finished.
  if (!findNextKey(config.dataDir) && (await finishRotation(url, old)) === 'finished')
    return console.log('The interrupted rotation is complete.')
  const next = prepareNextKey(config.dataDir)
  await rotateKey(url, { old, next }, options)
  replaceKeyFile(config.dataDir)
  console.log(
    `All secrets are sealed with the new key in ${config.dataDir}/secret.key. Processes that run need no restart.`,
  )
  if (config.databaseUrl === undefined) await finishRotation(url, next)
  else console.log(`If other machines have a copy of the key file, replace it there. ${howToFinish}`)
}

async function rotateVariable(url: string, old: Buffer, config: Config, options: RotateOptions): Promise<void> {
  if (config.secretKeyNext === undefined)
    throw new Error(
      'Set SECRET_KEY_NEXT to the new key: 32 characters or more, for example from `openssl rand -hex 32`.',
    )
  await rotateKey(url, { old, next: keyOf(config.secretKeyNext) }, options)
  console.log(
    `All secrets are sealed with the new key. Set SECRET_KEY to it and restart the processes, one by one. ${howToFinish}`,
  )
}

async function finish(url: string, key: Buffer): Promise<void> {
  const done = await finishRotation(url, key)
  console.log(done === 'none' ? 'There is no rotation to finish.' : 'The store no longer holds the old key.')
}
