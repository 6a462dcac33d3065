module gantry.dev/agent

go 1.24
