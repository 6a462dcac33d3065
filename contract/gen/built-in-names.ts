// Kinds, plurals, singulars and short names that a Kubernetes 1.34 API server, or an engine we detect, already answers to.
// `kubectl get <name>` of one of these would show something else, silently: `jobs` answers batch/v1.

export const BUILT_IN_NAMES: ReadonlySet<string> = new Set(
  `
  bindings binding componentstatuses componentstatus cs configmaps configmap cm endpoints endpoint ep events event ev
  limitranges limitrange limits namespaces namespace ns nodes node no persistentvolumeclaims persistentvolumeclaim pvc
  persistentvolumes persistentvolume pv pods pod po podtemplates podtemplate replicationcontrollers
  replicationcontroller rc resourcequotas resourcequota quota secrets secret serviceaccounts serviceaccount sa services
  service svc mutatingwebhookconfigurations mutatingwebhookconfiguration validatingadmissionpolicies
  validatingadmissionpolicy validatingadmissionpolicybindings validatingadmissionpolicybinding
  validatingwebhookconfigurations validatingwebhookconfiguration customresourcedefinitions customresourcedefinition crd
  crds apiservices apiservice controllerrevisions controllerrevision daemonsets daemonset ds deployments deployment
  deploy replicasets replicaset rs statefulsets statefulset sts selfsubjectreviews selfsubjectreview tokenreviews
  tokenreview localsubjectaccessreviews localsubjectaccessreview selfsubjectaccessreviews selfsubjectaccessreview
  selfsubjectrulesreviews selfsubjectrulesreview subjectaccessreviews subjectaccessreview horizontalpodautoscalers
  horizontalpodautoscaler hpa cronjobs cronjob cj jobs job certificatesigningrequests certificatesigningrequest csr
  leases lease endpointslices endpointslice flowschemas flowschema prioritylevelconfigurations
  prioritylevelconfiguration ingressclasses ingressclass ingresses ingress ing ipaddresses ipaddress ip
  networkpolicies networkpolicy netpol servicecidrs servicecidr runtimeclasses runtimeclass poddisruptionbudgets
  poddisruptionbudget pdb clusterrolebindings clusterrolebinding clusterroles clusterrole rolebindings rolebinding
  roles role deviceclasses deviceclass resourceclaims resourceclaim resourceclaimtemplates resourceclaimtemplate
  resourceslices resourceslice priorityclasses priorityclass pc csidrivers csidriver csinodes csinode
  csistoragecapacities csistoragecapacity storageclasses storageclass sc volumeattachments volumeattachment
  volumeattributesclasses volumeattributesclass vac
  workloads workload wl localqueues localqueue queue lq clusterqueues clusterqueue cq leaderworkersets leaderworkerset
  lws
  `
    .trim()
    .split(/\s+/),
);
