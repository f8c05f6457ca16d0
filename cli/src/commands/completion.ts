import type { Command } from 'commander'
import { type AddCommand, choiceOf, examples } from '../command.ts'
import { Failure } from '../failure.ts'
import { bashScript, fishScript, type Words, zshScript } from '../terminal/completion-scripts.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

export const addCompletion: AddCommand = ({ program, done }) => {
  program
    .command('completion')
    .addArgument(choiceOf('<shell>', 'the shell', Object.keys(scripts)))
    .summary('print a script that completes commands and options')
    .description('Prints a script for your shell that completes the commands and options of tocsin.')
    .addHelpText(
      'after',
      examples(
        'source <(tocsin completion bash)',
        'tocsin completion zsh > ~/.zfunc/_tocsin',
        'tocsin completion fish > ~/.config/fish/completions/tocsin.fish',
      ),
    )
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish')
        throw new Failure('invalid_option', `"${shell}" is not known: write bash, zsh or fish.`)
      const script = scripts[shell](wordsOf(program))
      done({ json: { shell, script }, text: script })
    })
}

/** Every command with its options, read from the program itself, so that none is forgotten. */
function wordsOf(program: Command): Words {
  const optionsOf = (command: Command) =>
    command.options.map(({ long, description }) => ({ name: long ?? '', about: description }))
  const shared = optionsOf(program)
  const below = (command: Command, path: string[]): Words =>
    command.commands.flatMap((each) => {
      const here = [...path, each.name()]
      const options = [...optionsOf(each), ...shared]
      const values = each.registeredArguments[0]?.argChoices ?? []
      return [
        { path: here, about: each.summary(), options },
        ...values.map((value) => ({ path: [...here, value], about: value, options })),
        ...below(each, here),
      ]
    })
  return below(program, [])
}
