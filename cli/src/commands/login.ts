import { type AddCommand, examples } from '../command.ts'
import { loginFile, saveLogin } from '../server/login-file.ts'
import { requireServerUrl, sessionAt } from '../server/session.ts'
import { ask, askSecret } from '../terminal/ask.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const addLogin: AddCommand = ({ program, terminal, done }) => {
  program
    .command('login')
    .summary('save the address of a server and a token')
    .description('Checks a token and saves it with the address of its server. Only you can read the file.')
    .option('--url <url>', 'address of the server')
    .option('--token <token>', 'a personal access token (console: Account → Tokens)')
    .addHelpText('after', examples('tocsin login --url https://tocsin.example.org --token tcn_…'))
    .action(async (options: { url?: string; token?: string }) => done(await logIn(terminal, options)))
}

async function logIn(terminal: Terminal, options: { url?: string; token?: string }) {
  const { env } = terminal
  const url = requireServerUrl(options.url ?? env.TOCSIN_URL ?? (await ask(terminal, 'Address of the server', '--url')))
  const token = options.token ?? env.TOCSIN_TOKEN ?? (await askSecret(terminal, 'Token', '--token'))
  const account = await sessionAt(url, token).call((client) => client.getMe())
  saveLogin(env, { url, token })
  return {
    json: { url, account: { email: account.email, name: account.name }, file: loginFile(env) },
    text: safeLine(`You are signed in at ${url} as ${account.name} (${account.email}).`),
  }
}
