import type { Variable } from "../config/Setting.ts"
import type { Facts } from "./facts.ts"

/** The files that the operator makes: all settings, and secrets one by one where they are not to be among them. */
const environmentPlace = "/etc/swap-broker/env"
const secretPlace = (name: string): string => `/etc/swap-broker/credentials/${name}`

/** A line for each secret: a file in which systemd may also keep it encrypted (`LoadCredentialEncrypted`). */
const credentials = (settings: ReadonlyArray<Variable>): string =>
  settings.filter(({ isSecret }) => isSecret)
    .map(({ name }) => `#LoadCredential=${name}:${secretPlace(name)}`).join("\n")

/**
 * A unit for a machine with systemd. The process runs as a user that exists only with it, sees a system that it cannot
 * write to, and keeps its records in its own folder. Memory that is written and run, which V8 needs for compiled code,
 * is the one thing of its kind that stays allowed.
 */
export const systemdUnit = ({ graceSeconds, settings }: Facts, program: string): string =>
  `# /etc/systemd/system/swap-broker.service
# systemctl daemon-reload && systemctl enable --now swap-broker
# The settings: ${environmentPlace}, made with "cli deploy env".

[Unit]
Description=Swap Broker
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=5min
StartLimitBurst=20

[Service]
Type=exec
ExecStart=${program} start
Environment=DATA_DIR=%S/swap-broker XDG_CACHE_HOME=%C/swap-broker LOG_FORMAT=json
EnvironmentFile=${environmentPlace}
${credentials(settings)}
WorkingDirectory=%S/swap-broker
StateDirectory=swap-broker
StateDirectoryMode=0700
CacheDirectory=swap-broker
CacheDirectoryMode=0700
DynamicUser=yes
KillSignal=SIGTERM
TimeoutStopSec=${graceSeconds}
Restart=on-failure
RestartSec=2
LimitNOFILE=65536

ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProcSubset=pid
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
PrivateTmp=yes
PrivateMounts=yes
PrivateDevices=yes
PrivateUsers=yes
RemoveIPC=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
SystemCallArchitectures=native
SystemCallFilter=@system-service @pkey
SystemCallFilter=~@privileged @resources
SystemCallFilter=@chown
SystemCallErrorNumber=EPERM
UMask=0077

[Install]
WantedBy=multi-user.target
`
