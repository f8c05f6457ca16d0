import { api } from '../../../data/api.ts'
import { isFields } from '../model/offers.ts'
import { PasteInterface } from './paste-interface.tsx'

type PasteIdlProps = {
  hasIdl: boolean
  read: (idl: Record<string, unknown>) => void
  source: string
  programId: string
}

/** For a program whose IDL is not on the chain: the user pastes it. The service checks it. */
export function PasteIdl({ hasIdl, read, source, programId }: PasteIdlProps) {
  return (
    <PasteInterface
      isKnown={hasIdl}
      label="Interface of the program"
      description="The IDL as its developers give it: the JSON file that Anchor writes."
      field="idl"
      read={async (idl, project) => {
        await api.importSolanaDrafts({ body: { project, source, programId, idl } })
        const parsed: unknown = JSON.parse(idl)
        if (isFields(parsed)) read(parsed)
      }}
    />
  )
}
