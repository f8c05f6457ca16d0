import { testRush } from '../harness/rush-tests.ts'

testRush(true)
