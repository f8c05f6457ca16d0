import type { BundledInterface } from './bundled-interface.ts'

export const ownable: BundledInterface = {
  name: 'Ownable',
  lines: [
    'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
    'event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)',
    'function transferOwnership(address newOwner)',
    'function acceptOwnership()',
    'function renounceOwnership()',
    'function owner() view returns (address)',
  ],
}

export const accessControl: BundledInterface = {
  name: 'AccessControl',
  lines: [
    'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
    'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
    'event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)',
    'function grantRole(bytes32 role, address account)',
    'function revokeRole(bytes32 role, address account)',
    'function renounceRole(bytes32 role, address account)',
    'function hasRole(bytes32 role, address account) view returns (bool)',
  ],
}

export const pausable: BundledInterface = {
  name: 'Pausable',
  lines: [
    'event Paused(address account)',
    'event Unpaused(address account)',
    'function pause()',
    'function unpause()',
    'function paused() view returns (bool)',
  ],
}

/** Proxies and the contracts that upgrade them. */
export const proxyAdmin: BundledInterface = {
  name: 'Proxy admin',
  lines: [
    'event Upgraded(address indexed implementation)',
    'event BeaconUpgraded(address indexed beacon)',
    'event AdminChanged(address previousAdmin, address newAdmin)',
    'event Initialized(uint8 version)',
    'event Initialized(uint64 version)',
    'function upgradeTo(address newImplementation)',
    'function upgradeToAndCall(address newImplementation, bytes data) payable',
    'function changeAdmin(address newAdmin)',
    'function upgrade(address proxy, address implementation)',
    'function upgradeAndCall(address proxy, address implementation, bytes data) payable',
    'function changeProxyAdmin(address proxy, address newAdmin)',
  ],
}

/** Contracts whose functions and events come from several facets. */
export const diamond: BundledInterface = {
  name: 'Diamond',
  lines: [
    'event DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)',
    'function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] _diamondCut, address _init, bytes _calldata)',
  ],
}

/** Safe 1.3 and 1.4, and the variant for L2, which also says what it executes. The hash of a transaction became indexed in 1.4. */
export const safe: BundledInterface = {
  name: 'Safe',
  lines: [
    'event ExecutionSuccess(bytes32 txHash, uint256 payment)',
    'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
    'event ExecutionFailure(bytes32 txHash, uint256 payment)',
    'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
    'event SafeReceived(address indexed sender, uint256 value)',
    'event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)',
    'event AddedOwner(address owner)',
    'event AddedOwner(address indexed owner)',
    'event RemovedOwner(address owner)',
    'event RemovedOwner(address indexed owner)',
    'event ChangedThreshold(uint256 threshold)',
    'event EnabledModule(address module)',
    'event EnabledModule(address indexed module)',
    'event DisabledModule(address module)',
    'event DisabledModule(address indexed module)',
    'event ExecutionFromModuleSuccess(address indexed module)',
    'event ExecutionFromModuleFailure(address indexed module)',
    'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
    'event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)',
    'event ApproveHash(bytes32 indexed approvedHash, address indexed owner)',
    'event ChangedGuard(address guard)',
    'event ChangedGuard(address indexed guard)',
    'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
    'function addOwnerWithThreshold(address owner, uint256 threshold)',
    'function removeOwner(address prevOwner, address owner, uint256 threshold)',
    'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
    'function changeThreshold(uint256 threshold)',
    'function enableModule(address module)',
    'function disableModule(address prevModule, address module)',
    'function approveHash(bytes32 hashToApprove)',
    'function getOwners() view returns (address[])',
    'function getThreshold() view returns (uint256)',
  ],
}

/** OpenZeppelin's AccessManager: who may call what on many contracts, with delays. */
export const accessManager: BundledInterface = {
  name: 'AccessManager',
  lines: [
    'event OperationScheduled(bytes32 indexed operationId, uint32 indexed nonce, uint48 schedule, address caller, address target, bytes data)',
    'event OperationExecuted(bytes32 indexed operationId, uint32 indexed nonce)',
    'event OperationCanceled(bytes32 indexed operationId, uint32 indexed nonce)',
    'event RoleLabel(uint64 indexed roleId, string label)',
    'event RoleGranted(uint64 indexed roleId, address indexed account, uint32 delay, uint48 since, bool newMember)',
    'event RoleRevoked(uint64 indexed roleId, address indexed account)',
    'event RoleAdminChanged(uint64 indexed roleId, uint64 indexed admin)',
    'event RoleGuardianChanged(uint64 indexed roleId, uint64 indexed guardian)',
    'event RoleGrantDelayChanged(uint64 indexed roleId, uint32 delay, uint48 since)',
    'event TargetClosed(address indexed target, bool closed)',
    'event TargetFunctionRoleUpdated(address indexed target, bytes4 selector, uint64 indexed roleId)',
    'event TargetAdminDelayUpdated(address indexed target, uint32 delay, uint48 since)',
    'function grantRole(uint64 roleId, address account, uint32 executionDelay)',
    'function revokeRole(uint64 roleId, address account)',
    'function setTargetClosed(address target, bool closed)',
    'function setTargetFunctionRole(address target, bytes4[] selectors, uint64 roleId)',
    'function schedule(address target, bytes data, uint48 when) returns (bytes32, uint32)',
    'function execute(address target, bytes data) payable returns (uint32)',
    'function cancel(address caller, address target, bytes data) returns (uint32)',
    'function updateAuthority(address target, address newAuthority)',
    'function expiration() view returns (uint32)',
    'function minSetback() view returns (uint32)',
  ],
}

/** Accounts of ERC-4337, versions 0.6 and 0.7, and the modules of ERC-7579. */
export const smartAccount: BundledInterface = {
  name: 'ERC-4337 account',
  lines: [
    'event SimpleAccountInitialized(address indexed entryPoint, address indexed owner)',
    'event ModuleInstalled(uint256 moduleTypeId, address module)',
    'event ModuleUninstalled(uint256 moduleTypeId, address module)',
    'function execute(address dest, uint256 value, bytes func)',
    'function executeBatch(address[] dest, bytes[] func)',
    'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
    'function execute(bytes32 mode, bytes executionCalldata) payable',
    'function installModule(uint256 moduleTypeId, address module, bytes initData) payable',
    'function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData) payable',
    'function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
    'function validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  ],
}

export const entryPoint: BundledInterface = {
  name: 'ERC-4337 entry point',
  lines: [
    'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  ],
}
