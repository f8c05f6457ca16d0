import { expect, test } from 'vitest'
import { knownVariables, loadConfig } from './config.ts'
import { adviceOn } from './config-advice.ts'

const adviceFor = (env: Record<string, string>) => adviceOn(env, loadConfig(env), knownVariables)

test.each([
  ['RETENTION_ALERT_DAYS', 'RETENTION_ALERTS_DAYS'],
  ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ['SIGNUP', 'SIGN_UP'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['sign_up', 'SIGN_UP'],
])('%s is told, with the option that was meant', (name, meant) => {
  expect(adviceFor({ [name]: '7' })).toEqual([`${name} is no option of the service. Did you mean ${meant}?`])
})

test('a name that begins like an option is told; names of other programs are not', () => {
  expect(adviceFor({ LIMIT_EVERYTHING_A_LOT: '7' })).toEqual(['LIMIT_EVERYTHING_A_LOT is no option of the service.'])
  const others = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'a',
    LOGNAME: 'b',
    NODE_ENV: 'production',
    PWD: '/',
    TERM: 'x',
  }
  expect(adviceFor({ ...others, npm_lifecycle_event: 'start', PGHOST: 'c', DATABASE: 'd', POSTGRES_URL: 'e' })).toEqual(
    [],
  )
})

test.each([
  [{ METRICS_PORT: '9000' }, 'METRICS_PORT has no effect here: only a process with ROLE=engine has it'],
  [{ ROLE: 'engine', CORS_ORIGINS: 'https://a.example' }, 'CORS_ORIGINS has no effect here: ROLE=engine answers'],
  [{ ROLE: 'api', DELIVERY_DISABLE_DAYS: '3' }, 'DELIVERY_DISABLE_DAYS has no effect here: ROLE=api runs no triggers'],
  [{ MAIL_FROM: 'a@example.org' }, 'MAIL_FROM has no effect here: it needs SMTP_URL'],
  [{ ETHERSCAN_API_KEY: 'k' }, 'ETHERSCAN_API_KEY has no effect here: ABI_SOURCES does not name etherscan'],
])('an option without effect is told: %j', (env, text) => {
  expect(adviceFor(env)).toEqual([expect.stringContaining(text)])
})

test('a configuration in which every option has an effect has no advice', () => {
  expect(adviceFor({ PORT: '4101', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.org' })).toEqual([])
})

test.each([
  [{ PORT: ' ' }, 'PORT: is blank. For example: 4100'],
  [{ PORT: 'abc' }, 'PORT: '],
  [{ CORS_ORIGINS: 'wrong value' }, 'CORS_ORIGINS: "wrong value" is no origin. For example: https://app.example.org'],
  [{ CORS_ORIGINS: 'https://a.example/path' }, 'CORS_ORIGINS: "https://a.example/path" is no origin'],
  [{ SIGN_UP: 'maybe' }, 'SIGN_UP: '],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: '],
])('a wrong value stops the start with its name and an example: %j', (env, text) => {
  const [name = ''] = Object.keys(env)
  expect(() => loadConfig(env)).toThrow(text)
  expect(() => loadConfig(env)).toThrow(new RegExp(`${name}: .*For example: `))
})
