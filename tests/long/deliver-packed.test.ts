import { testDeliveries } from '../harness/deliver-tests.ts'

testDeliveries(true)
