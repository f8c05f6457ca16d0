import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Label, Status } from '../../components/status.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { connectionOf, type SourceValues } from './source-values.ts'

type Result = Body<'verifyCustomSource'>

/** Connects to every endpoint and shows the result. It saves nothing. */
export function Verify({ workspace, values }: { workspace: string; values: SourceValues }) {
  const verify = useChange('verifyCustomSource')
  const connection = connectionOf(values)
  return (
    <Stack gap="sm" aria-live="polite">
      <Group>
        <Button
          variant="default"
          loading={verify.isPending}
          disabled={connection.endpoints.length === 0}
          onClick={() => verify.mutate({ body: { workspace, name: values.name || 'new', ...connection } })}
        >
          Verify endpoints
        </Button>
        <Text size="sm" c="dimmed">
          {verify.isPending ? 'Connecting to all endpoints…' : 'Check the connection before you save.'}
        </Text>
      </Group>
      <ErrorNotice error={verify.error} />
      {verify.data && <VerifyResult result={verify.data} />}
    </Stack>
  )
}

function VerifyResult({ result: { ok, error, details, logs } }: { result: Result }) {
  return (
    <Stack gap="xs">
      <Status
        value={ok ? 'ok' : 'error'}
        label={ok ? `Verified: ${details?.network ?? 'connected'}` : (error ?? 'Verification failed')}
      />
      {details && (
        <>
          <Text size="sm" hidden={!ok}>
            Latest block {details.latestBlock.toLocaleString('en')}
            {details.chainId !== undefined && `, chain id ${details.chainId}`}
          </Text>
          <Table.ScrollContainer minWidth={480} type="native">
            <Table aria-label="Endpoints">
              <Table.Thead>
                <Table.Tr>
                  {['Endpoint', 'Status', 'Latency', 'Capabilities'].map((title) => (
                    <Table.Th key={title}>{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {details.endpoints.map((endpoint) => (
                  <Table.Tr key={endpoint.url}>
                    <Table.Td className="mono">{endpoint.url}</Table.Td>
                    <Table.Td>
                      <Status value={endpoint.ok ? 'ok' : 'error'} label={endpoint.ok ? 'OK' : 'Failed'} />
                    </Table.Td>
                    <Table.Td>{Math.round(endpoint.latencyMs)} ms</Table.Td>
                    <Table.Td>
                      <Group gap={4}>
                        {endpoint.capabilities.map((capability) => (
                          <Label key={capability}>{capability}</Label>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
      {logs
        .filter(({ level }) => level !== 'info')
        .map(({ level, message }) => (
          <Status key={message} value={level} label={message} />
        ))}
    </Stack>
  )
}
