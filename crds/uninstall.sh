#!/bin/sh
# Takes Gantry off a cluster, in the order in which finalizers can be released: the operator must still run, since only it
# stamps the last use of a Pod before the Pod may go. Tenants' data goes with their organisations, so they are named first.
#   usage: crds/uninstall.sh [--yes]
set -eu
cd "$(dirname "$0")"
# As the cluster has them, which may be fewer after a try that did not end. Not in a pipe: what cannot be listed ends the script here.
listed=$(kubectl get crd --no-headers -o custom-columns=K:.spec.names.plural,G:.spec.group)
kinds=$(echo "$listed" | sed -n 's/ *gantry\.dev$//p')

organizations=$(kubectl get organizations.gantry.dev --no-headers --ignore-not-found -o custom-columns=N:.metadata.name)
if [ -n "$organizations" ] && [ "${1:-}" != "--yes" ]; then
  echo "These organisations and all their data would be deleted:" $organizations
  echo "Run it again with --yes to do so. Nothing was changed."
  exit 1
fi

# The gateway would make people's own organisations again.
kubectl delete --ignore-not-found clusterrolebinding gantry-gateway

for name in $organizations; do
  if error=$(kubectl annotate --overwrite organization.gantry.dev "$name" "gantry.dev/confirm-delete=$name" 2>&1); then
    kubectl delete --wait=false --ignore-not-found organization.gantry.dev "$name"
  # One that was on its way out already may be gone by now.
  elif [ -n "$(kubectl get organization.gantry.dev "$name" --ignore-not-found --output=name)" ]; then
    echo "$error" >&2
    exit 1
  fi
done
# Billing's finalizer is the gateway's to release, which has no rights any more: whatever waits for that alone is let go, and its
# last use stays unbilled.
release_billed() {
  for kind in $kinds; do
    kubectl get "$kind.gantry.dev" --all-namespaces -o go-template='{{range .items}}{{if and .metadata.namespace .metadata.deletionTimestamp}}{{.metadata.namespace}} {{.metadata.name}} {{.metadata.finalizers}}{{"\n"}}{{end}}{{end}}' |
      while read -r namespace object finalizers; do
        if [ "$finalizers" = "[gantry.dev/billing]" ]; then
          # Gone by itself meanwhile, or tried again in a moment.
          kubectl patch "$kind.gantry.dev" "$object" -n "$namespace" --type=merge -p '{"metadata":{"finalizers":null}}' || :
        fi
      done
  done
}
tries=60
for name in $organizations; do
  until kubectl wait --for=delete --timeout=5s organization.gantry.dev "$name" 2>/dev/null; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "organization $name is still there after five minutes. Does the operator run?" >&2
      exit 1
    fi
    release_billed
  done
done
kubectl delete images.gantry.dev --all --all-namespaces --timeout=120s

for kind in $kinds; do
  # Not in a pipe: what cannot be counted ends the script here, and is not taken for none.
  left=$(kubectl get "$kind.gantry.dev" --all-namespaces --output=name)
  if [ -n "$left" ]; then
    echo "$(echo "$left" | wc -l) $kind are left, so the kinds stay. Does the operator run? kubectl get $kind.gantry.dev -A"
    exit 1
  fi
done

# What the job queue has of ours, and queues of organisations that had lost their owner; its own finalizers wait for Kueue.
for queue in $(kubectl api-resources --api-group=kueue.x-k8s.io --output=name 2>/dev/null | grep -E '^(clusterqueues|cohorts|resourceflavors|workloadpriorityclasses)\.'); do
  for label in organization managed; do
    kubectl delete --wait=false "$queue" --selector="gantry.dev/$label"
  done
done

# Nothing is left that a finalizer of ours could hold: now the kinds, and last what guards and serves them.
for kind in $kinds; do
  kubectl annotate --overwrite crd "$kind.gantry.dev" "gantry.dev/confirm-delete=$kind.gantry.dev" >/dev/null
  kubectl delete crd "$kind.gantry.dev"
done
kubectl delete --ignore-not-found -f backup -f install-crds -f platform
