import fc from 'fast-check'
import { seedOf } from '../harness/seed-of.ts'

// PROPERTY_SEED=random looks for counterexamples that the fixed seed does not meet. The line repeats the run.
const seed = seedOf('PROPERTY_SEED')
if (process.env.PROPERTY_SEED === 'random') console.log(`PROPERTY_SEED=${seed}`)
fc.configureGlobal({ seed })
