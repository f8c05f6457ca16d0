import './made-up-kind.ts'
import * as z from 'zod'
import { type ChainDescription, chainDescriptions, chainSpecs } from '../../contract/src/chains/index.ts'
import { authorType, notesKind } from './made-up-kind.ts'

/** The contract's side of the made-up chain, as `contract/src/chains/` has it of the others. */
export const NoteSpec = z.object({
  type: z.literal('note'),
  dataSource: z.string().min(1),
  author: z.string().optional(),
  testInput: z.unknown().optional(),
})

/** What the console and the API show of the chain. They know nothing else of it. */
export const notesDescription: ChainDescription = {
  kind: notesKind,
  title: 'Notes',
  endpointExample: 'https://notes.example.org',
  sourceSettings: [],
  coinDecimals: 3,
  address: {
    type: authorType,
    title: 'Author',
    example: 'author-ann',
    form: { pattern: '^author-\\w+$' },
    differsFromHashes: true,
    hint: 'It begins with author-.',
  },
  specs: [
    {
      type: 'note',
      title: 'Note',
      about: 'Notes that an author writes.',
      inputs: [
        {
          ...{ as: 'text', name: 'author', label: 'Author', placeholder: 'author-ann' },
          description: 'Leave empty to watch every author.',
        },
      ],
      itemFields: ['author', 'words', 'block.number'],
      sentence: { noun: 'note', names: [], place: { field: 'author', words: 'of' } },
    },
  ],
}

const lists: readonly (readonly [unknown, unknown])[] = [
  [chainSpecs, NoteSpec],
  [chainDescriptions, notesDescription],
]
for (const [list, entry] of lists) if (Array.isArray(list)) list.push(entry)
