// +kubebuilder:rbac:groups=z.example.com,namespace=default,roleName=set-00062,verbs="*",resources=pods
// +kubebuilder:rbac:verbs=list;delete;use,resources="pods/status";"jobs",resourceNames=my-secret,roleName=set-00116,groups=batch;z.example.com;example.com
// +kubebuilder:rbac:roleName=set-00022,verbs=list,urls=/metrics;*
// +kubebuilder:rbac:groups=z.example.com;*;a-b.c,verbs=create,roleName=set-00105,resources="*";"secrets"
// +kubebuilder:rbac:roleName=set-00130,namespace=default,resources=*;pods/status;jobs,verbs=delete,groups=batch;a-b.c;core
// +kubebuilder:rbac:roleName=set-00084,verbs=get;delete,groups="apps";"*";"",resources=`*`
// +kubebuilder:rbac:namespace=default,resources=*/scale;*;deployments.apps,roleName=set-00147,groups=core;batch,verbs=list;update;*
// +kubebuilder:rbac:groups=*;z.example.com,roleName=set-00071,resources={"pods/status", deployments},verbs=list;use
// +kubebuilder:rbac:resources={"pods"},roleName=set-00117,verbs=create,groups=core;"";z.example.com
// +kubebuilder:rbac:resources="deployments.apps";"*/scale";"pods",groups=*;core;z.example.com,roleName=set-00136,namespace=zoo,resourceNames={x.y, b},verbs=create;list;watch
// +kubebuilder:rbac:namespace=default,resources=secrets,roleName=set-00043,verbs=list;get,groups=*;example.com;core
// +kubebuilder:rbac:roleName=set-00034,namespace=app-a,groups="",resources=pods;deployments,verbs={watch, "patch"}
// +kubebuilder:rbac:groups="example.com",roleName=set-00141,verbs=update,resources=*;pods/status
// +kubebuilder:rbac:resources=*/scale;deployments;pods,verbs=create;*,groups="";batch;z.example.com,roleName=set-00119
// +kubebuilder:rbac:roleName=set-00107,resources=*,groups="";batch,verbs=patch
// +kubebuilder:rbac:resources=*/scale;pods;secrets,verbs=list,roleName=set-00142,groups=example.com;apps;*,namespace=zoo
// +kubebuilder:rbac:resourceNames=my-secret,groups=core;batch;example.com,verbs={*, "list", patch},roleName=set-00000,resources=deployments.apps;pods
// +kubebuilder:rbac:namespace=zoo,groups={"", "a-b.c"},verbs=update;watch;bind,resources=pods/status,roleName=set-00002
// +kubebuilder:rbac:verbs="*",resourceNames=a,groups=*;core;apps,resources={"secrets", deployments, "deployments.apps"},namespace=app-a,roleName=set-00028
// +kubebuilder:rbac:verbs=create;delete;watch,resources=secrets;deployments;deployments.apps,namespace=zoo,resourceNames=my-secret,roleName=set-00120,groups=example.com
// +kubebuilder:rbac:groups=example.com;apps;"",verbs={"patch", "watch", "list"},roleName=set-00134,resources=secrets;deployments
// +kubebuilder:rbac:roleName=set-00149,verbs="list";"use",urls={/healthz, /a/*}
// +kubebuilder:rbac:namespace=default,groups=*;apps;z.example.com,roleName=set-00054,verbs=`update`;`use`;`*`,resources=pods;pods/status;jobs
// +kubebuilder:rbac:resources={"*/scale", "pods/status"},roleName=set-00119,verbs=patch;update,groups="";z.example.com;apps
// +kubebuilder:rbac:urls=*;/healthz,roleName=set-00144,verbs=*;list;patch
// +kubebuilder:rbac:resources=*/scale;pods/status;*,groups=a-b.c,roleName=set-00139,verbs=patch
// +kubebuilder:rbac:resourceNames=`x.y`;`my-secret`,resources=jobs,verbs=*;create;get,roleName=set-00110,groups=*
// +kubebuilder:rbac:roleName=set-00028,groups="a-b.c";"apps";"core",namespace=app-a,verbs=delete;create;watch,resources={secrets, pods, deployments.apps}
// +kubebuilder:rbac:verbs=get,roleName=set-00141,resources=jobs;deployments,groups="";a-b.c
// +kubebuilder:rbac:verbs=delete;watch,resources=jobs;deployments.apps,groups=z.example.com,roleName=set-00038,namespace=app-a
// +kubebuilder:rbac:groups=`example.com`,roleName=set-00013,verbs="patch";"*",namespace=app-a,resources=secrets;*;pods/status
// +kubebuilder:rbac:verbs=delete,namespace=app-a,roleName=set-00126,resources=jobs;deployments.apps;secrets,groups=core;z.example.com;a-b.c
// +kubebuilder:rbac:roleName=set-00121,resources=*;pods;*/scale,verbs=bind;patch,groups=""
// +kubebuilder:rbac:roleName=set-00093,resources=`pods`,namespace=zoo,groups=example.com,verbs="list"
// +kubebuilder:rbac:verbs=`get`;`*`,resources=deployments.apps,roleName=set-00055,groups={"*", "core"},resourceNames=b;x.y
// +kubebuilder:rbac:resources=secrets,verbs="patch";"watch",roleName=set-00008,groups=batch;apps
// +kubebuilder:rbac:groups=*;a-b.c,verbs=bind;update;patch,roleName=set-00060,resources={"*"}
// +kubebuilder:rbac:verbs=delete,urls="/metrics";"*";"/healthz",roleName=set-00131
// +kubebuilder:rbac:roleName=set-00042,resources=*;pods,groups="";apps;z.example.com,verbs=*;watch,resourceNames={"a"},namespace=default
// +kubebuilder:rbac:groups=apps;*;example.com,verbs=`patch`,resources=secrets;pods/status;deployments.apps,roleName=set-00092
// +kubebuilder:rbac:verbs={watch},groups=example.com;apps,roleName=set-00010,namespace=zoo,resources="pods";"deployments";"secrets"
// +kubebuilder:rbac:resources="secrets",namespace=app-a,groups={"example.com", "apps", z.example.com},roleName=set-00046,verbs=delete;patch
// +kubebuilder:rbac:namespace=default,resources=deployments,groups="";*,roleName=set-00033,verbs=`patch`;`use`
// +kubebuilder:rbac:groups=core,resources=`*`,roleName=set-00096,verbs={delete},namespace=zoo
// +kubebuilder:rbac:groups="z.example.com";"apps",roleName=set-00112,namespace=app-a,verbs=list;watch,resources=jobs;pods/status;deployments.apps
// +kubebuilder:rbac:resources=deployments;pods;jobs,resourceNames=b;my-secret,verbs=*;use;watch,groups={"*", batch},namespace=app-a,roleName=set-00035
// +kubebuilder:rbac:roleName=set-00002,verbs=bind,groups={a-b.c, "apps"},namespace=zoo,resources={pods, "*", "secrets"}
// +kubebuilder:rbac:namespace=app-a,verbs=get;watch;create,resources=secrets;*,roleName=set-00132,groups="";batch
// +kubebuilder:rbac:roleName=set-00014,verbs=watch,groups={"batch"},resources=deployments.apps
// +kubebuilder:rbac:roleName=set-00054,groups=core,resourceNames=x.y;my-secret,namespace=default,resources={pods, secrets},verbs=patch
// +kubebuilder:rbac:groups={batch, "a-b.c"},verbs="patch";"create",roleName=set-00041,resources=*/scale;deployments.apps
// +kubebuilder:rbac:verbs=update;watch,groups="z.example.com";"",roleName=set-00052,resources=secrets;jobs;deployments.apps
// +kubebuilder:rbac:namespace=default,roleName=set-00009,resourceNames=a;x.y,verbs="list",resources={"*/scale", "jobs"},groups=batch;"";example.com
// +kubebuilder:rbac:resources="jobs",namespace=default,groups=apps,verbs={get, "patch", "delete"},roleName=set-00098
// +kubebuilder:rbac:groups=z.example.com,verbs=create,roleName=set-00108,resources=pods/status;*,namespace=app-a
// +kubebuilder:rbac:namespace=zoo,groups=apps;a-b.c,verbs=update;create;list,resources=secrets;*;deployments.apps,resourceNames={my-secret},roleName=set-00099
// +kubebuilder:rbac:resources=*/scale;*;deployments,groups=a-b.c;batch;apps,namespace=zoo,verbs=patch;update;bind,roleName=set-00051
// +kubebuilder:rbac:verbs=*;update;create,roleName=set-00129,groups="batch";"apps";"example.com",namespace=zoo,resources=*/scale;pods
// +kubebuilder:rbac:roleName=set-00040,verbs=get;use;bind,urls=/a/*;*
// +kubebuilder:rbac:verbs=use;bind,resources=pods/status,groups=example.com;core;"",roleName=set-00058
// +kubebuilder:rbac:verbs=get;use;list,groups=a-b.c;*;z.example.com,roleName=set-00105,resources=`deployments`;`secrets`
// +kubebuilder:rbac:groups="";"*";"apps",resources={"*"},verbs=delete;get;update,namespace=app-a,roleName=set-00045
// +kubebuilder:rbac:groups=a-b.c;z.example.com;"",resources="pods/status";"*";"jobs",verbs=delete;list;use,roleName=set-00137
// +kubebuilder:rbac:roleName=set-00092,verbs=create;*,resources=deployments.apps;secrets,groups=a-b.c
// +kubebuilder:rbac:groups=a-b.c;core;batch,roleName=set-00081,resources={"jobs", "pods/status", */scale},verbs=patch;delete
// +kubebuilder:rbac:verbs=list;delete;create,roleName=set-00028,resources=jobs,namespace=app-a,groups={a-b.c}
// +kubebuilder:rbac:roleName=set-00024,verbs=delete;list;get,urls="*"
// +kubebuilder:rbac:groups=a-b.c;*,verbs="update";"patch",roleName=set-00039,namespace=zoo,resources="*";"deployments.apps"
// +kubebuilder:rbac:roleName=set-00078,resources=*;*/scale;deployments,groups=batch,verbs=get
// +kubebuilder:rbac:verbs=`*`,groups="";z.example.com,resources=secrets,resourceNames=my-secret,roleName=set-00045,namespace=app-a
// +kubebuilder:rbac:roleName=set-00030,groups="";"core",resourceNames=a,resources=pods/status;secrets,verbs="bind";"watch"
// +kubebuilder:rbac:roleName=set-00145,verbs="use",resources=pods/status,namespace=default,groups=z.example.com
// +kubebuilder:rbac:groups=*;a-b.c;z.example.com,resources=pods/status,verbs=create,roleName=set-00089
// +kubebuilder:rbac:roleName=set-00013,verbs=list;create,namespace=app-a,groups={"", batch, a-b.c},resources=*/scale;deployments.apps;*
// +kubebuilder:rbac:groups="batch",namespace=default,roleName=set-00043,resources=deployments;pods;pods/status,verbs=list
// +kubebuilder:rbac:resources=pods/status,namespace=app-a,roleName=set-00045,verbs={list, watch, "update"},groups=core
// +kubebuilder:rbac:roleName=set-00042,verbs="create";"delete",groups={z.example.com},namespace=default,resources=deployments;pods/status
// +kubebuilder:rbac:roleName=set-00114,resources=jobs;pods,groups=apps;*;z.example.com,verbs="bind"
// +kubebuilder:rbac:resources="jobs",verbs=list;bind;delete,resourceNames=x.y;b,groups="";`z.example.com`,roleName=set-00020
// +kubebuilder:rbac:groups=apps;z.example.com,namespace=default,resources=*;pods/status;secrets,roleName=set-00146,verbs="create"
// +kubebuilder:rbac:resourceNames=a,namespace=default,resources=jobs;pods,verbs="update";"list",groups=core;apps;batch,roleName=set-00072
// +kubebuilder:rbac:roleName=set-00061,groups=core,verbs=get,resourceNames=a;x.y,namespace=default,resources={"deployments", *}
// +kubebuilder:rbac:namespace=zoo,verbs=`create`,resources=secrets;*/scale;jobs,groups=example.com;core;batch,roleName=set-00015
// +kubebuilder:rbac:urls="/a/*";"/healthz",roleName=set-00086,verbs=delete;bind
// +kubebuilder:rbac:roleName=set-00010,namespace=zoo,verbs="update";"delete";"*",groups=z.example.com;example.com;a-b.c,resources={"deployments", "*", "pods/status"}
// +kubebuilder:rbac:groups="z.example.com",resources=jobs,verbs=watch,roleName=set-00119
// +kubebuilder:rbac:namespace=default,resources=`*/scale`;`jobs`;`secrets`,roleName=set-00130,verbs="bind";"use";"update",groups="batch";"*";"apps"
// +kubebuilder:rbac:resources="*";"*/scale",roleName=set-00148,namespace=default,verbs=`*`;`list`,groups="";batch
// +kubebuilder:rbac:urls={"/healthz"},roleName=set-00014,verbs=bind;*
// +kubebuilder:rbac:urls=/a/*;/healthz;*,verbs=use;update;list,roleName=set-00081
// +kubebuilder:rbac:resources=`*`;`secrets`;`deployments.apps`,verbs=use;delete;update,roleName=set-00033,namespace=default,groups="apps"
// +kubebuilder:rbac:roleName=set-00091,verbs="update";"watch",resources={"secrets", jobs},namespace=zoo,groups=batch
// +kubebuilder:rbac:roleName=set-00131,groups=core;*;z.example.com,verbs=*,resources=deployments.apps;*;pods
// +kubebuilder:rbac:groups=z.example.com;core,roleName=set-00069,namespace=zoo,resources=deployments,resourceNames={"my-secret"},verbs=*;list;use
// +kubebuilder:rbac:verbs=create;bind,groups=example.com;*,roleName=set-00008,resources={jobs}
// +kubebuilder:rbac:resources=secrets;*/scale;*,roleName=set-00113,verbs=get,groups="";batch
// +kubebuilder:rbac:roleName=set-00097,verbs=`watch`;`*`,groups=`a-b.c`,resources=pods/status;*;secrets,namespace=app-a,resourceNames=a
// +kubebuilder:rbac:verbs=delete;list;update,groups=`example.com`;"";`z.example.com`,resources=pods/status;deployments;deployments.apps,roleName=set-00014
// +kubebuilder:rbac:roleName=set-00143,verbs=create,groups=a-b.c;apps,resources={"*/scale"},namespace=app-a
// +kubebuilder:rbac:namespace=app-a,resources=*;secrets,verbs=list,groups={"example.com"},roleName=set-00074
// +kubebuilder:rbac:verbs=list;bind,roleName=set-00143,namespace=app-a,resources="deployments",groups="*";"core"
// +kubebuilder:rbac:groups=a-b.c;batch,verbs={"update", "*", "create"},roleName=set-00103,namespace=default,resources=*;jobs;secrets
// +kubebuilder:rbac:verbs=*;get;bind,resources=pods,groups=*;z.example.com;"",roleName=set-00053,resourceNames=x.y;b,namespace=zoo
// +kubebuilder:rbac:namespace=zoo,groups=a-b.c,roleName=set-00091,resources=*/scale;*;pods,verbs={list, watch}
// +kubebuilder:rbac:groups=*;"";apps,verbs=*,resources={"pods"},resourceNames="x.y";"b",roleName=set-00041
// +kubebuilder:rbac:verbs=get;*;delete,roleName=set-00144,resources="pods/status";"*";"deployments",groups=`core`
// +kubebuilder:rbac:roleName=set-00085,verbs=*;use;create,groups="";a-b.c,resources=pods
// +kubebuilder:rbac:resources=`deployments`;`secrets`,groups=example.com;"",verbs=use,roleName=set-00026
// +kubebuilder:rbac:roleName=set-00030,resources=pods;deployments.apps,groups="",verbs="update";"delete"
// +kubebuilder:rbac:resources=`deployments.apps`,roleName=set-00145,verbs=get,namespace=default,groups={"z.example.com", ""}
// +kubebuilder:rbac:verbs=watch;*;use,groups={*},resources="*";"secrets";"*/scale",roleName=set-00092
// +kubebuilder:rbac:verbs={update, get, "delete"},urls=/metrics,roleName=set-00124
// +kubebuilder:rbac:resources=pods;jobs;deployments,roleName=set-00133,groups=batch;z.example.com;a-b.c,resourceNames=a;b,verbs=get
// +kubebuilder:rbac:groups=core;"",roleName=set-00113,verbs="get",resources=deployments
// +kubebuilder:rbac:groups=*;batch;example.com,resources=*/scale,roleName=set-00144,verbs={watch, update, get}
// +kubebuilder:rbac:roleName=set-00049,resources=*/scale,verbs=watch,namespace=app-a,groups="z.example.com"
// +kubebuilder:rbac:resourceNames="x.y";"a",namespace=app-a,verbs=`use`;`delete`;`bind`,roleName=set-00132,resources="*",groups="*";"apps"
// +kubebuilder:rbac:resourceNames={"b"},groups="a-b.c";"batch";"example.com",verbs=patch;use;bind,resources=*/scale,roleName=set-00125,namespace=app-a
// +kubebuilder:rbac:groups=core;*,verbs=list;create;*,roleName=set-00131,resources="deployments";"jobs"
// +kubebuilder:rbac:roleName=set-00081,verbs=bind;watch;patch,urls=*
// +kubebuilder:rbac:roleName=set-00112,namespace=app-a,verbs=list,resources=secrets;deployments,groups={"apps"}
// +kubebuilder:rbac:resourceNames=a,roleName=set-00095,resources=pods;jobs,groups=example.com;core;apps,verbs={"watch"}
// +kubebuilder:rbac:resources=pods/status;pods;deployments.apps,groups=core;apps,roleName=set-00137,verbs=get;watch;use
// +kubebuilder:rbac:resources=jobs,roleName=set-00021,groups={"core", batch, ""},verbs=bind;create;patch
// +kubebuilder:rbac:resources="secrets";"deployments";"*/scale",groups=core;a-b.c,verbs=list,roleName=set-00114
// +kubebuilder:rbac:resources=secrets,roleName=set-00133,groups=*,resourceNames=my-secret,verbs=patch;use;list
// +kubebuilder:rbac:verbs={get, "patch", use},resourceNames={my-secret},groups=*;"",resources=*/scale;*;deployments,roleName=set-00115
// +kubebuilder:rbac:groups=example.com,namespace=default,roleName=set-00061,resources={"deployments", "*"},verbs=create;delete;get
// +kubebuilder:rbac:verbs=`get`;`create`;`update`,namespace=default,groups=`*`;`batch`;`apps`,resources=jobs;*;deployments,roleName=set-00009
// +kubebuilder:rbac:resources=pods/status;secrets;deployments.apps,verbs=create;update,roleName=set-00067,groups=example.com
// +kubebuilder:rbac:resources=*/scale;deployments.apps;secrets,roleName=set-00047,resourceNames=b;x.y,verbs=use,groups=*
// +kubebuilder:rbac:roleName=set-00116,resources=*,groups=a-b.c;apps;batch,verbs=get;patch
// +kubebuilder:rbac:resourceNames="a";"b",resources=pods/status;secrets,verbs=delete,groups=core,roleName=set-00071
// +kubebuilder:rbac:resources=*/scale,groups=apps;example.com;a-b.c,verbs=*,roleName=set-00105
// +kubebuilder:rbac:verbs=patch;use;list,resources=jobs;pods,roleName=set-00095,groups=`batch`
// +kubebuilder:rbac:resources=pods;pods/status,groups=z.example.com,verbs="use";"watch";"list",namespace=default,roleName=set-00031
// +kubebuilder:rbac:namespace=app-a,groups="apps";"z.example.com";"batch",roleName=set-00088,resources=*/scale;deployments.apps,verbs={"watch"}
// +kubebuilder:rbac:groups=apps,roleName=set-00044,verbs=*;get,namespace=default,resources="deployments";"pods/status"
// +kubebuilder:rbac:roleName=set-00005,groups={"z.example.com", ""},verbs=use,namespace=zoo,resources="*/scale";"*"
// +kubebuilder:rbac:roleName=set-00114,groups=core,resources=`deployments.apps`,verbs=list;update;use
// +kubebuilder:rbac:resources=pods/status,verbs=*;patch,resourceNames="a";"b",roleName=set-00015,groups=apps;z.example.com;example.com,namespace=zoo
// +kubebuilder:rbac:groups="example.com";"z.example.com",roleName=set-00011,resources=*/scale;jobs,namespace=app-a,verbs=*;get;list,resourceNames=x.y
// +kubebuilder:rbac:verbs="create";"patch";"bind",resources={"*", "jobs", deployments.apps},namespace=default,roleName=set-00146,groups={"*"}
// +kubebuilder:rbac:roleName=set-00030,verbs=delete;create,resources="*";"jobs";"deployments",groups=""
// +kubebuilder:rbac:roleName=set-00040,groups=z.example.com;apps;a-b.c,resources=deployments;pods/status,verbs=delete;bind
// +kubebuilder:rbac:roleName=set-00026,resources=jobs;deployments.apps;*/scale,groups=a-b.c;example.com;*,verbs="list"
// +kubebuilder:rbac:resources={"deployments", "pods", secrets},resourceNames=my-secret,namespace=app-a,groups={z.example.com, ""},roleName=set-00064,verbs=delete;get
// +kubebuilder:rbac:groups=batch,roleName=set-00142,resourceNames=b,resources="deployments";"*/scale";"pods/status",verbs=get;use;bind,namespace=zoo
// +kubebuilder:rbac:resources={"jobs", "*/scale"},roleName=set-00029,verbs=*;use;delete,namespace=default,groups=`apps`;`core`
// +kubebuilder:rbac:groups="apps",roleName=set-00031,namespace=default,resources=deployments.apps,verbs=list
// +kubebuilder:rbac:verbs="create";"*",resourceNames=b;my-secret,resources={"*"},groups=batch;z.example.com,roleName=set-00040
// +kubebuilder:rbac:roleName=set-00089,urls=/a/*;/healthz,verbs=delete
// +kubebuilder:rbac:verbs="watch";"create";"get",groups=a-b.c;core;example.com,resources=secrets;*/scale;pods/status,roleName=set-00127
// +kubebuilder:rbac:namespace=app-a,resources="pods";"*",groups=a-b.c;z.example.com,roleName=set-00011,verbs="bind"
// +kubebuilder:rbac:roleName=set-00021,verbs="patch";"list",groups=*,resources=jobs
// +kubebuilder:rbac:verbs=get;*,groups=example.com,resources=secrets,namespace=default,roleName=set-00062
// +kubebuilder:rbac:verbs="*",roleName=set-00078,urls=/metrics
// +kubebuilder:rbac:namespace=default,roleName=set-00062,verbs="delete";"use",groups=batch,resources=deployments
// +kubebuilder:rbac:namespace=default,roleName=set-00009,verbs=use,groups=apps;"",resources=pods;*
// +kubebuilder:rbac:resources="deployments.apps";"*";"*/scale",verbs="bind";"patch";"use",groups="z.example.com",roleName=set-00020
// +kubebuilder:rbac:resources=pods,roleName=set-00148,namespace=default,verbs={"watch"},groups=`example.com`
// +kubebuilder:rbac:roleName=set-00104,namespace=app-a,resources="*";"jobs";"pods/status",verbs=`update`,groups=`apps`;`core`
// +kubebuilder:rbac:groups="batch";"core",namespace=zoo,resources={pods/status},roleName=set-00069,verbs=use;get;bind
// +kubebuilder:rbac:resources=pods;pods/status,namespace=zoo,verbs=patch;use,groups=z.example.com,roleName=set-00075
// +kubebuilder:rbac:roleName=set-00056,resources={pods, "pods/status"},verbs=list,namespace=app-a,groups=""
// +kubebuilder:rbac:groups=z.example.com;batch,roleName=set-00062,verbs={*, patch, "create"},namespace=default,resources={"deployments"}
// +kubebuilder:rbac:roleName=set-00130,resources=pods,namespace=default,groups=*,verbs=`patch`
// +kubebuilder:rbac:resources=pods;*/scale,roleName=set-00067,verbs=get;*;update,groups="batch";"core"
// +kubebuilder:rbac:verbs=delete,resources=pods/status;jobs;pods,groups="";apps;a-b.c,namespace=zoo,roleName=set-00051
// +kubebuilder:rbac:roleName=set-00069,resources=pods/status,namespace=zoo,groups={"", "core"},verbs="get";"delete";"watch"
// +kubebuilder:rbac:urls=/metrics,roleName=set-00017,verbs=*;update;delete
// +kubebuilder:rbac:resources=deployments.apps;*/scale;pods,roleName=set-00064,groups=example.com;core,verbs=bind,namespace=app-a
// +kubebuilder:rbac:roleName=set-00109,verbs=get;watch;patch,urls=*;/metrics
// +kubebuilder:rbac:resourceNames=b;a,namespace=zoo,verbs=list;create,resources=*/scale;jobs;*,groups=batch,roleName=set-00005
// +kubebuilder:rbac:resourceNames=x.y;my-secret,verbs=watch,namespace=app-a,groups=a-b.c;"";batch,roleName=set-00011,resources=*/scale
// +kubebuilder:rbac:namespace=default,roleName=set-00147,resources=deployments,verbs={watch},groups={apps, "a-b.c"}
// +kubebuilder:rbac:groups=batch;*,roleName=set-00056,namespace=app-a,resources=deployments,verbs=delete;update;list
// +kubebuilder:rbac:resources=deployments;pods/status;secrets,groups=core;z.example.com;batch,verbs=bind,roleName=set-00084
// +kubebuilder:rbac:verbs=watch;bind,roleName=set-00090,resources={deployments.apps, "pods/status", "pods"},groups=batch
// +kubebuilder:rbac:namespace=default,roleName=set-00146,groups=*;batch,resources=pods/status,verbs=*
// +kubebuilder:rbac:verbs=*,resources={deployments.apps, *, "deployments"},namespace=zoo,roleName=set-00106,groups="*"
// +kubebuilder:rbac:roleName=set-00061,verbs=patch,namespace=default,groups={example.com, z.example.com},resources="pods"
// +kubebuilder:rbac:resources=`pods/status`;`jobs`;`*/scale`,roleName=set-00012,groups=*,verbs={*, update}
// +kubebuilder:rbac:resources=secrets;jobs,roleName=set-00137,verbs="create";"get",groups=core;apps;z.example.com
// +kubebuilder:rbac:groups=core,resources=deployments;pods;*,verbs="get";"use";"patch",resourceNames=a,roleName=set-00094
// +kubebuilder:rbac:verbs=update,groups=apps;batch;core,roleName=set-00105,resources=secrets;deployments.apps;*/scale
// +kubebuilder:rbac:urls={"/healthz", /metrics, *},roleName=set-00115,verbs=create
// +kubebuilder:rbac:groups=apps;z.example.com,roleName=set-00008,verbs=get;create,resources={"*", pods/status}
// +kubebuilder:rbac:roleName=set-00101,verbs=bind;get,resourceNames=a,groups=a-b.c;z.example.com;batch,namespace=default,resources=pods/status
// +kubebuilder:rbac:resources=deployments;deployments.apps,verbs=use;create;bind,groups="apps",roleName=set-00078
// +kubebuilder:rbac:verbs={"patch", *, "get"},resources=*/scale;pods,resourceNames=`x.y`,groups=`example.com`;`core`,roleName=set-00095
// +kubebuilder:rbac:namespace=app-a,groups=*;example.com;apps,resources={deployments},roleName=set-00056,verbs=bind;list;create
// +kubebuilder:rbac:resources=*/scale,verbs={update, *, delete},roleName=set-00123,resourceNames=my-secret;x.y,groups=core;z.example.com
// +kubebuilder:rbac:roleName=set-00009,verbs=watch,groups=apps,namespace=default,resources={"*", "*/scale", pods}
// +kubebuilder:rbac:verbs=`*`,groups=example.com,namespace=zoo,roleName=set-00010,resources=pods/status
// +kubebuilder:rbac:namespace=zoo,resources=*;*/scale,resourceNames=a;my-secret,groups=core;apps;a-b.c,roleName=set-00129,verbs=create;update;get
// +kubebuilder:rbac:resources=deployments;deployments.apps;*,verbs="delete",groups=a-b.c;batch;core,resourceNames=x.y,roleName=set-00030
// +kubebuilder:rbac:resourceNames={"a", "my-secret"},resources=deployments,verbs=update;get,roleName=set-00116,groups="example.com";""
// +kubebuilder:rbac:roleName=set-00006,groups=core;apps,resources=pods;deployments.apps,verbs=use;get;create
// +kubebuilder:rbac:roleName=set-00058,urls={/metrics},verbs={bind, patch, update}
// +kubebuilder:rbac:roleName=set-00001,namespace=app-a,groups="";`z.example.com`,verbs={get, update},resources=deployments
// +kubebuilder:rbac:groups=z.example.com,roleName=set-00016,verbs=delete,resources=pods;jobs,resourceNames="my-secret"
// +kubebuilder:rbac:roleName=set-00117,urls=/a/*;/healthz;*,verbs="create";"delete";"*"
// +kubebuilder:rbac:resourceNames="b",roleName=set-00007,verbs="*",namespace=app-a,resources="secrets";"deployments",groups=core
// +kubebuilder:rbac:namespace=zoo,roleName=set-00004,verbs=bind;delete,resources={jobs, "secrets"},groups=`apps`
// +kubebuilder:rbac:groups=z.example.com;*,resources="jobs";"*/scale",roleName=set-00114,verbs=get,resourceNames={a}
// +kubebuilder:rbac:resourceNames=a;x.y,groups=a-b.c,resources=deployments,verbs={list},roleName=set-00107
// +kubebuilder:rbac:verbs=`create`;`watch`,roleName=set-00087,urls=/metrics;/healthz
// +kubebuilder:rbac:verbs=`create`;`update`,roleName=set-00137,resources=pods,groups=core;z.example.com
// +kubebuilder:rbac:verbs={"update", create, "bind"},resourceNames=my-secret,namespace=app-a,roleName=set-00126,resources={"secrets"},groups={"", example.com, z.example.com}
// +kubebuilder:rbac:resources="*";"jobs",resourceNames=b;x.y,groups=a-b.c;example.com,roleName=set-00058,verbs=patch;get;create
// +kubebuilder:rbac:resourceNames="b";"x.y",namespace=app-a,verbs=list;delete,roleName=set-00045,resources=pods;deployments,groups=apps;""
// +kubebuilder:rbac:resources=*/scale;deployments,namespace=app-a,roleName=set-00035,verbs=patch,groups=apps;""
// +kubebuilder:rbac:groups=z.example.com;batch;core,resources=*/scale,roleName=set-00122,verbs=`get`
// +kubebuilder:rbac:roleName=set-00012,groups="z.example.com";"*",verbs="watch",resources=pods;*;deployments
// +kubebuilder:rbac:resources=*/scale,roleName=set-00064,groups=apps,verbs={"get"},namespace=app-a
// +kubebuilder:rbac:namespace=zoo,verbs="watch",groups="";"batch",resources={secrets, *},roleName=set-00051
// +kubebuilder:rbac:groups="",resourceNames=x.y,verbs=*;patch;create,roleName=set-00055,resources="jobs"
// +kubebuilder:rbac:verbs=list,groups=`z.example.com`;"";`example.com`,roleName=set-00133,resources=*/scale;jobs
// +kubebuilder:rbac:namespace=default,roleName=set-00068,groups={"batch"},resourceNames=b;x.y,verbs=delete;update;list,resources={"*/scale"}
// +kubebuilder:rbac:roleName=set-00021,urls=/healthz;/metrics,verbs=patch;delete
// +kubebuilder:rbac:namespace=app-a,groups=core;example.com;batch,roleName=set-00038,resources=pods/status;secrets,verbs={*, "update"}
// +kubebuilder:rbac:groups=`example.com`;`batch`;`apps`,roleName=set-00051,namespace=zoo,resources=secrets;deployments.apps,verbs="bind",resourceNames=b
// +kubebuilder:rbac:resources=jobs,verbs=get;watch;list,resourceNames=my-secret,roleName=set-00149,groups=batch;*;""
// +kubebuilder:rbac:urls={"/healthz", "*"},verbs="bind";"patch",roleName=set-00139
// +kubebuilder:rbac:verbs=get,groups="example.com";"batch",resources=secrets;pods/status,roleName=set-00040
// +kubebuilder:rbac:groups=batch;"",resources=pods;deployments;*/scale,namespace=zoo,verbs="delete";"bind",roleName=set-00093
// +kubebuilder:rbac:groups=core;apps,resources={secrets, deployments},verbs=use;update;list,roleName=set-00089
// +kubebuilder:rbac:roleName=set-00016,groups={core, *},verbs=update,resources=pods
// +kubebuilder:rbac:roleName=set-00065,resources=pods/status;jobs,resourceNames=b,verbs=list;get,groups=z.example.com
// +kubebuilder:rbac:verbs=list;watch,roleName=set-00013,namespace=app-a,resources=pods,groups=example.com;*
// +kubebuilder:rbac:verbs=bind;use;update,roleName=set-00126,groups=`*`,resources=*,namespace=app-a
// +kubebuilder:rbac:verbs=patch;get,namespace=zoo,groups=a-b.c;example.com,resources={"deployments"},roleName=set-00004,resourceNames="a";"b"
// +kubebuilder:rbac:verbs=patch;bind,roleName=set-00040,resourceNames=a,groups={"example.com"},resources=secrets;*
// +kubebuilder:rbac:roleName=set-00117,resources=deployments;jobs;pods/status,verbs=patch;create;use,groups=`a-b.c`
// +kubebuilder:rbac:roleName=set-00147,namespace=default,groups={z.example.com, "core"},resources="jobs",verbs=patch
// +kubebuilder:rbac:roleName=set-00056,namespace=app-a,resources={"pods"},groups=z.example.com,verbs="delete";"get";"watch"
// +kubebuilder:rbac:groups={"core"},namespace=default,roleName=set-00043,verbs=*;patch;bind,resources=secrets
// +kubebuilder:rbac:groups={example.com, apps, z.example.com},verbs={"update", "get", "patch"},roleName=set-00095,resources=jobs
// +kubebuilder:rbac:groups="";"core";"batch",resources=*;jobs,roleName=set-00003,verbs=bind;update;create
// +kubebuilder:rbac:verbs=update;delete,groups={*, "apps", "a-b.c"},namespace=zoo,roleName=set-00075,resources="secrets";"pods/status";"deployments"
// +kubebuilder:rbac:resources=`jobs`;`pods`;`*`,verbs={create, "list", bind},roleName=set-00093,resourceNames=x.y;a,namespace=zoo,groups=apps;""
// +kubebuilder:rbac:resources="jobs";"*/scale",roleName=set-00112,resourceNames=x.y,namespace=app-a,verbs=get,groups=z.example.com
// +kubebuilder:rbac:roleName=set-00088,verbs=bind;delete;use,namespace=app-a,resources=pods/status,groups={*},resourceNames=b
// +kubebuilder:rbac:resources=*;pods/status;jobs,verbs={"delete", *},namespace=app-a,roleName=set-00001,groups=core;apps;batch
// +kubebuilder:rbac:groups=core,verbs=`use`;`watch`;`delete`,resources=deployments.apps;pods;pods/status,roleName=set-00068,namespace=default
// +kubebuilder:rbac:namespace=zoo,verbs=*;use,groups={"z.example.com", "*"},roleName=set-00053,resources=*/scale;jobs
// +kubebuilder:rbac:roleName=set-00137,groups={z.example.com, "*", batch},resources=deployments.apps;pods/status;pods,verbs=patch
// +kubebuilder:rbac:namespace=zoo,resources="deployments";"deployments.apps",verbs={"delete", create, get},groups="";a-b.c;*,roleName=set-00079
// +kubebuilder:rbac:resources=deployments;*/scale,verbs=get,roleName=set-00000,groups=*;batch;""
// +kubebuilder:rbac:roleName=set-00041,verbs="delete";"watch";"list",urls={/a/*}
// +kubebuilder:rbac:namespace=app-a,groups={"z.example.com", "*"},resources=pods/status;pods,roleName=set-00112,verbs=patch;watch;*
// +kubebuilder:rbac:roleName=set-00125,verbs=bind;list,namespace=app-a,groups="example.com";"*",resources=*;deployments
// +kubebuilder:rbac:groups={"*", "", "z.example.com"},resources=pods;jobs,resourceNames="my-secret",roleName=set-00094,verbs=patch;bind;update
// +kubebuilder:rbac:resources=jobs;*;deployments.apps,roleName=set-00128,resourceNames=x.y;my-secret,groups=*;apps,verbs=watch;get,namespace=app-a
// +kubebuilder:rbac:resourceNames=my-secret,resources=*/scale;deployments.apps,verbs="bind",groups=example.com,roleName=set-00124
// +kubebuilder:rbac:roleName=set-00016,verbs={delete, "*", "patch"},resourceNames="x.y";"my-secret",groups=*;apps;example.com,resources=pods;deployments;deployments.apps
// +kubebuilder:rbac:resources=`pods/status`;`secrets`,resourceNames=b;a,groups={a-b.c, z.example.com},roleName=set-00006,verbs={watch, bind, update}
// +kubebuilder:rbac:verbs=watch,groups="";apps,namespace=default,resources=jobs;pods/status,roleName=set-00031
// +kubebuilder:rbac:groups=example.com;*;a-b.c,verbs="*";"list";"get",resources={*, "pods"},roleName=set-00047
// +kubebuilder:rbac:verbs=delete;*,roleName=set-00131,resources={jobs, deployments.apps, pods/status},groups={"core"}
// +kubebuilder:rbac:namespace=app-a,resourceNames=x.y;my-secret,groups=a-b.c,roleName=set-00104,verbs=`*`,resources={"deployments.apps"}
// +kubebuilder:rbac:groups={core, apps, "*"},namespace=default,resources=pods/status;*/scale,roleName=set-00009,verbs=delete;*;use,resourceNames={b, "x.y"}
// +kubebuilder:rbac:groups={a-b.c},resources=*,roleName=set-00019,verbs=list
// +kubebuilder:rbac:resources="pods";"deployments";"jobs",roleName=set-00115,verbs=update;list,groups=`core`;`example.com`;`*`
// +kubebuilder:rbac:verbs=patch;watch;bind,resources=pods;secrets;*/scale,groups=z.example.com;a-b.c,roleName=set-00054,namespace=default
// +kubebuilder:rbac:resources=jobs;*/scale,groups={apps, z.example.com, "batch"},verbs=patch;bind;delete,resourceNames="my-secret";"b",roleName=set-00104,namespace=app-a
// +kubebuilder:rbac:resources=deployments.apps;secrets;*,groups=example.com,verbs=`bind`;`update`,roleName=set-00084
// +kubebuilder:rbac:resources=*/scale;*,resourceNames=my-secret;a,verbs=update,roleName=set-00055,groups=z.example.com;*
// +kubebuilder:rbac:roleName=set-00135,groups={core, "batch"},resources=pods;jobs,namespace=default,verbs=bind;watch;use
// +kubebuilder:rbac:verbs=delete,namespace=default,resources=pods/status;deployments,groups={example.com, a-b.c, "z.example.com"},roleName=set-00148
// +kubebuilder:rbac:groups={"*"},verbs=use;*,resources=deployments.apps;pods;secrets,roleName=set-00113
// +kubebuilder:rbac:resourceNames=`a`;`x.y`,verbs=get;list;use,resources=pods,groups=*;core;"",roleName=set-00087
// +kubebuilder:rbac:resources=secrets,resourceNames=`b`;`x.y`,roleName=set-00069,namespace=zoo,verbs=patch;create;use,groups=apps;*
// +kubebuilder:rbac:roleName=set-00073,verbs=bind,urls={*, /healthz, "/a/*"}
// +kubebuilder:rbac:urls=/healthz;/metrics;/a/*,verbs=list;*,roleName=set-00119
// +kubebuilder:rbac:groups=core,roleName=set-00087,resources="secrets";"pods",verbs=watch,resourceNames=b;x.y
// +kubebuilder:rbac:groups=*;z.example.com,namespace=app-a,resources=`secrets`;`deployments`;`jobs`,roleName=set-00128,verbs=watch;bind
// +kubebuilder:rbac:resourceNames=b;my-secret,roleName=set-00080,groups="batch",verbs={bind},resources="*/scale";"jobs"
// +kubebuilder:rbac:resourceNames="my-secret";"x.y",verbs=`patch`,groups="",roleName=set-00084,resources={"pods/status", */scale}
// +kubebuilder:rbac:verbs=watch;bind,resources=pods,groups="";*;z.example.com,roleName=set-00024
// +kubebuilder:rbac:verbs=get;bind;list,resources=pods,groups=batch,namespace=app-a,roleName=set-00036
// +kubebuilder:rbac:resources=*,verbs=delete;list,roleName=set-00123,groups="";apps;z.example.com
// +kubebuilder:rbac:verbs=list;watch,roleName=set-00039,resources={jobs, pods/status},namespace=zoo,groups={""}
// +kubebuilder:rbac:roleName=set-00051,resources="pods/status";"jobs",namespace=zoo,groups="*";"";"batch",verbs={*, "bind"}
// +kubebuilder:rbac:groups="apps";"example.com",resources=*/scale;pods;secrets,roleName=set-00079,verbs=delete;update;get,namespace=zoo
// +kubebuilder:rbac:roleName=set-00022,resourceNames=x.y;b,verbs=watch;use,resources="deployments";"*";"*/scale",groups="z.example.com"
// +kubebuilder:rbac:roleName=set-00011,namespace=app-a,verbs=delete;use;bind,groups={*},resources="pods/status"
// +kubebuilder:rbac:groups=apps;*;core,namespace=zoo,resources=deployments.apps,roleName=set-00053,verbs="watch"
// +kubebuilder:rbac:verbs=delete,groups=example.com;z.example.com,roleName=set-00001,resources="*";"pods",namespace=app-a
// +kubebuilder:rbac:verbs=create,namespace=default,resourceNames="x.y",resources=pods/status;secrets,roleName=set-00111,groups="example.com";"apps";"z.example.com"
// +kubebuilder:rbac:namespace=default,resources={"jobs", "pods/status"},verbs=get;create;*,groups=*,roleName=set-00135
// +kubebuilder:rbac:verbs=create,roleName=set-00108,groups={"core", "", "z.example.com"},resources=jobs;*;secrets,namespace=app-a
// +kubebuilder:rbac:namespace=zoo,resources={jobs},groups={apps},verbs=update;list;create,roleName=set-00015
// +kubebuilder:rbac:roleName=set-00059,resourceNames="a",resources=`deployments`;`secrets`,groups=a-b.c;*,verbs="watch";"update"
// +kubebuilder:rbac:namespace=default,groups=*;z.example.com,resources=jobs,verbs=delete;watch,roleName=set-00098
// +kubebuilder:rbac:roleName=set-00061,namespace=default,groups="";z.example.com,resources={*, deployments},verbs="*";"get"
// +kubebuilder:rbac:verbs="list",groups="",namespace=default,resources=`jobs`,roleName=set-00031
// +kubebuilder:rbac:roleName=set-00062,verbs="use";"update";"get",resources=secrets;deployments;*,namespace=default,resourceNames=`b`;`x.y`,groups=batch;""
// +kubebuilder:rbac:roleName=set-00098,namespace=default,groups=z.example.com;batch;core,verbs="*";"patch";"watch",resources=secrets;jobs
// +kubebuilder:rbac:groups="",verbs=create;patch,resources={"pods/status"},roleName=set-00000
// +kubebuilder:rbac:verbs=*,namespace=zoo,roleName=set-00096,groups={*, "example.com", "apps"},resources=deployments.apps;jobs;pods/status
// +kubebuilder:rbac:groups={apps, ""},resources=secrets,verbs="patch";"update";"watch",roleName=set-00087
// +kubebuilder:rbac:groups=a-b.c;batch,resources=deployments;*/scale,resourceNames=x.y,namespace=app-a,verbs=bind;use,roleName=set-00097
// +kubebuilder:rbac:resources="jobs";"*/scale";"pods",roleName=set-00115,groups=apps;*,verbs=watch;list;*
// +kubebuilder:rbac:resources=*,verbs=use;bind;get,roleName=set-00137,groups="example.com"
// +kubebuilder:rbac:resources="deployments",namespace=default,roleName=set-00147,groups=`apps`,verbs=*;update;bind
// +kubebuilder:rbac:urls=/a/*,roleName=set-00113,verbs=*
// +kubebuilder:rbac:namespace=zoo,verbs=`*`;`update`,groups={"core", "a-b.c"},resources=jobs;deployments.apps,roleName=set-00120
// +kubebuilder:rbac:resources=*,roleName=set-00124,verbs=watch;delete;use,groups={"z.example.com"}
// +kubebuilder:rbac:groups=batch,namespace=default,verbs=patch;bind;watch,resources=*/scale;deployments.apps;deployments,roleName=set-00044
// +kubebuilder:rbac:verbs=patch;get,groups=*;a-b.c;example.com,resources=pods,roleName=set-00119
// +kubebuilder:rbac:verbs=create,resources=pods/status;*/scale;deployments.apps,roleName=set-00018,groups="",namespace=app-a,resourceNames="x.y"
// +kubebuilder:rbac:roleName=set-00143,resources=secrets,groups=batch;z.example.com,verbs=create,namespace=app-a,resourceNames=`my-secret`
// +kubebuilder:rbac:roleName=set-00116,urls=`/metrics`;`/healthz`,verbs={"list", "delete", "watch"}
// +kubebuilder:rbac:groups=*;example.com;a-b.c,roleName=set-00037,verbs=delete;*,resources=secrets
// +kubebuilder:rbac:verbs="watch";"get";"patch",roleName=set-00144,groups=example.com;a-b.c;z.example.com,resources=deployments.apps;*/scale;secrets
// +kubebuilder:rbac:namespace=default,resources=secrets,groups=batch,verbs=*;use;get,roleName=set-00031
// +kubebuilder:rbac:resourceNames=my-secret;a,verbs=create,roleName=set-00034,resources="pods";"deployments";"secrets",namespace=app-a,groups=core;*;apps
// +kubebuilder:rbac:roleName=set-00035,namespace=app-a,groups=*;a-b.c,verbs=get;use,resources=`secrets`
// +kubebuilder:rbac:roleName=set-00147,namespace=default,groups={*, "", batch},resources="pods/status",verbs=update;get
// +kubebuilder:rbac:groups=apps;batch,namespace=default,roleName=set-00135,resources="pods",verbs=update;delete;watch
// +kubebuilder:rbac:roleName=set-00135,groups="",verbs=delete,namespace=default,resources="jobs"
// +kubebuilder:rbac:roleName=set-00053,verbs=patch;list;create,groups="example.com",resources=deployments;pods/status,namespace=zoo
// +kubebuilder:rbac:resources={"jobs"},groups=z.example.com;"";example.com,namespace=zoo,verbs="list";"watch",roleName=set-00069
// +kubebuilder:rbac:roleName=set-00027,groups=*;z.example.com,verbs={get},resources="deployments"
// +kubebuilder:rbac:roleName=set-00027,verbs=update,groups="batch";"*",resources=*;pods;jobs
// +kubebuilder:rbac:roleName=set-00135,namespace=default,verbs=use;*,groups=core;"",resources="pods";"pods/status";"*"
// +kubebuilder:rbac:groups=batch;a-b.c,roleName=set-00091,verbs=list,namespace=zoo,resources=deployments;jobs
// +kubebuilder:rbac:roleName=set-00052,verbs=create,urls=/metrics
// +kubebuilder:rbac:resources={*},namespace=default,roleName=set-00032,groups="z.example.com",verbs=*;use
// +kubebuilder:rbac:resources=pods/status,namespace=zoo,roleName=set-00004,groups=*;apps,verbs={use}
// +kubebuilder:rbac:resourceNames=b,groups=a-b.c;core,verbs=update,namespace=default,roleName=set-00146,resources="deployments";"deployments.apps"
// +kubebuilder:rbac:resources=deployments.apps,roleName=set-00127,verbs="watch";"use",resourceNames=b;my-secret,groups=*
// +kubebuilder:rbac:groups=core;batch;*,resources=secrets;*/scale;deployments.apps,verbs=get;update;patch,roleName=set-00112,namespace=app-a
// +kubebuilder:rbac:groups=example.com;core;z.example.com,resources=pods/status;*;deployments,roleName=set-00048,verbs=list,namespace=zoo
// +kubebuilder:rbac:groups={z.example.com, "batch"},resourceNames={"my-secret"},resources=jobs;deployments,roleName=set-00124,verbs=use
// +kubebuilder:rbac:roleName=set-00028,groups="a-b.c",verbs=patch,resources=jobs,namespace=app-a
// +kubebuilder:rbac:resources=`secrets`;`*`;`*/scale`,roleName=set-00090,verbs=*;use;watch,groups="*";"core";"apps"
// +kubebuilder:rbac:resources=secrets,groups="a-b.c";"z.example.com";"core",namespace=app-a,verbs=create,roleName=set-00064
// +kubebuilder:rbac:groups=*,roleName=set-00085,verbs=`list`;`get`,resources=secrets;jobs;*/scale
// +kubebuilder:rbac:roleName=set-00105,groups=batch,resources="*/scale";"deployments",verbs="create";"bind";"delete"
// +kubebuilder:rbac:resourceNames=a;x.y,groups=`*`;`example.com`;`batch`,verbs=delete;create;watch,namespace=zoo,resources=*,roleName=set-00039
// +kubebuilder:rbac:urls=/a/*;/metrics;*,verbs=*;use;get,roleName=set-00003
// +kubebuilder:rbac:roleName=set-00145,namespace=default,groups=apps;"",resources=jobs,verbs=use
// +kubebuilder:rbac:roleName=set-00008,verbs=use,resources=pods/status;secrets,groups=a-b.c;"";core
// +kubebuilder:rbac:roleName=set-00069,resources=deployments.apps;secrets,resourceNames="a",namespace=zoo,verbs=bind;delete,groups=a-b.c;apps
// +kubebuilder:rbac:resourceNames={a, "b"},resources=pods/status;*/scale;*,verbs={"update"},groups=core;batch;"",namespace=app-a,roleName=set-00035
// +kubebuilder:rbac:resources={pods, *, "deployments.apps"},groups={"core", "*", z.example.com},verbs=use;bind;watch,roleName=set-00077
// +kubebuilder:rbac:roleName=set-00028,verbs={patch, "update"},namespace=app-a,groups="*";"apps";"core",resources=secrets;pods/status
// +kubebuilder:rbac:resourceNames=my-secret,resources={pods, "jobs"},roleName=set-00012,verbs=update;bind;patch,groups=batch;"";apps
// +kubebuilder:rbac:namespace=app-a,groups=*;z.example.com,verbs=create,resourceNames={"b"},resources=jobs;deployments,roleName=set-00097
// +kubebuilder:rbac:namespace=app-a,verbs=create;*,roleName=set-00049,groups=batch;*,resources="*";"deployments.apps";"pods/status"
// +kubebuilder:rbac:groups=a-b.c;apps,roleName=set-00117,resources=secrets;*/scale;pods,verbs=update;watch
// +kubebuilder:rbac:roleName=set-00009,resourceNames=my-secret;a,namespace=default,resources={"pods/status", deployments, jobs},verbs=patch;update,groups=*;batch;z.example.com
// +kubebuilder:rbac:roleName=set-00005,namespace=zoo,verbs=watch;*,resources=deployments;pods;secrets,groups=example.com;*;z.example.com
// +kubebuilder:rbac:roleName=set-00022,groups="";core,resources={*/scale},verbs=get
// +kubebuilder:rbac:verbs="get",namespace=app-a,roleName=set-00038,resources="deployments.apps";"deployments",groups=*
// +kubebuilder:rbac:roleName=set-00060,resources=deployments;secrets,groups=example.com;z.example.com;*,verbs=patch;bind;get
// +kubebuilder:rbac:roleName=set-00087,groups="",verbs="delete";"create",resources=*
// +kubebuilder:rbac:resources=*;pods;secrets,verbs=get,roleName=set-00136,groups="core",namespace=zoo
// +kubebuilder:rbac:groups=batch,roleName=set-00118,verbs=delete,namespace=default,resources=*;*/scale
// +kubebuilder:rbac:resources=*/scale,groups=apps;batch,roleName=set-00121,verbs=create;delete
// +kubebuilder:rbac:verbs={"use"},roleName=set-00121,resourceNames=my-secret;x.y,groups=core;example.com;*,resources=pods/status;*;deployments
// +kubebuilder:rbac:groups=`a-b.c`;`core`,roleName=set-00048,resources=secrets,namespace=zoo,verbs=delete;watch;update
// +kubebuilder:rbac:verbs="*",resources=`jobs`,roleName=set-00117,resourceNames=a,groups=a-b.c;batch;example.com
// +kubebuilder:rbac:resources=jobs,verbs=watch;use,groups="";a-b.c,roleName=set-00092
// +kubebuilder:rbac:verbs="watch",resources=pods,roleName=set-00049,groups={*},namespace=app-a
// +kubebuilder:rbac:groups=*;example.com;core,resources={"secrets", "deployments"},roleName=set-00071,verbs=delete;get;bind
// +kubebuilder:rbac:namespace=default,groups=z.example.com;*,verbs="create";"list";"patch",resources=*,roleName=set-00023
// +kubebuilder:rbac:resources=pods,groups=apps,resourceNames="b",verbs=get;bind;delete,roleName=set-00002,namespace=zoo
// +kubebuilder:rbac:groups="";example.com;apps,roleName=set-00113,resources=secrets;*/scale;deployments,verbs=list;*
// +kubebuilder:rbac:namespace=app-a,groups=`a-b.c`;`batch`;`z.example.com`,roleName=set-00143,verbs=use;bind,resources=*;pods/status
// +kubebuilder:rbac:namespace=app-a,resources="deployments.apps",roleName=set-00088,groups=z.example.com,verbs=delete;bind;list
// +kubebuilder:rbac:roleName=set-00012,resources={jobs, deployments},verbs=get;bind,groups=batch,resourceNames=x.y;b
// +kubebuilder:rbac:roleName=set-00050,resources="secrets";"deployments";"pods/status",groups=core,namespace=zoo,verbs=watch
// +kubebuilder:rbac:groups=z.example.com,roleName=set-00105,resources=pods/status;*/scale;jobs,verbs="patch"
// +kubebuilder:rbac:resources="secrets",verbs=create;bind;patch,groups=apps,namespace=zoo,roleName=set-00093
// +kubebuilder:rbac:roleName=set-00008,urls=/metrics;/healthz;*,verbs=`watch`
// +kubebuilder:rbac:roleName=set-00108,resources=secrets;*/scale,resourceNames=a;x.y,groups=batch;"",verbs="list";"watch";"bind",namespace=app-a
// +kubebuilder:rbac:verbs=use;*,roleName=set-00067,groups="core",resources=*/scale;jobs;secrets
// +kubebuilder:rbac:verbs=list;patch;use,groups=example.com,resources=secrets;deployments,namespace=default,roleName=set-00066
// +kubebuilder:rbac:roleName=set-00111,groups=core,verbs=watch;list,resources="pods/status",namespace=default
// +kubebuilder:rbac:roleName=set-00098,verbs=get;*;create,namespace=default,resources=`jobs`,groups=core;*
// +kubebuilder:rbac:verbs=list,groups={apps, "example.com"},resources=*;secrets;*/scale,roleName=set-00135,namespace=default
// +kubebuilder:rbac:resources=deployments;secrets,roleName=set-00086,groups=`core`;"";`apps`,verbs=*
// +kubebuilder:rbac:verbs=get;watch,groups="";z.example.com,resources=`deployments`,roleName=set-00014
// +kubebuilder:rbac:resources={jobs, *, "deployments"},verbs={"*", patch, "watch"},roleName=set-00075,groups=a-b.c;batch,namespace=zoo
// +kubebuilder:rbac:namespace=app-a,resources={*},roleName=set-00104,verbs=update;use,groups=z.example.com;batch;a-b.c
// +kubebuilder:rbac:resources=secrets;*;deployments.apps,roleName=set-00070,verbs=create;delete;get,groups=""
// +kubebuilder:rbac:groups=z.example.com;"";example.com,roleName=set-00013,verbs=watch;*,resources={deployments, */scale},namespace=app-a
// +kubebuilder:rbac:groups=z.example.com;"",roleName=set-00005,verbs=bind;get,namespace=zoo,resources="secrets";"pods";"deployments"
// +kubebuilder:rbac:groups=a-b.c;batch;core,roleName=set-00064,verbs={"patch", use},resourceNames=my-secret;a,resources=secrets;deployments;pods/status,namespace=app-a
// +kubebuilder:rbac:urls=/a/*,verbs={"watch", get},roleName=set-00086
// +kubebuilder:rbac:roleName=set-00015,verbs=*,groups={z.example.com},namespace=zoo,resources=deployments.apps
// +kubebuilder:rbac:resources={pods, deployments, "*"},groups=batch;"",namespace=app-a,roleName=set-00013,verbs=list;update
// +kubebuilder:rbac:resources=deployments,verbs=update;*,roleName=set-00056,namespace=app-a,groups={"apps"}
// +kubebuilder:rbac:groups=*;apps,verbs=*;get;watch,resources={secrets},roleName=set-00121
// +kubebuilder:rbac:verbs=patch,roleName=set-00006,resources=deployments.apps,groups="*";"a-b.c";"batch",resourceNames=x.y;b
// +kubebuilder:rbac:roleName=set-00011,namespace=app-a,resources=pods;jobs,groups="";z.example.com,verbs=bind;update;watch
// +kubebuilder:rbac:roleName=set-00101,groups="";batch;*,resources=`pods/status`,verbs=delete,namespace=default
// +kubebuilder:rbac:groups="example.com",roleName=set-00094,resources=jobs;*;pods,verbs={patch}
// +kubebuilder:rbac:groups=*,resources=secrets;deployments,verbs=patch,roleName=set-00027
// +kubebuilder:rbac:resources=*,verbs=use,roleName=set-00110,groups=*
// +kubebuilder:rbac:namespace=zoo,groups=batch;core;"",resources="pods/status";"jobs";"*",verbs=*,roleName=set-00093
// +kubebuilder:rbac:urls=*;/healthz;/metrics,verbs={"watch"},roleName=set-00115
// +kubebuilder:rbac:verbs=delete;use,roleName=set-00014,resources={deployments.apps, jobs},groups=`apps`
// +kubebuilder:rbac:roleName=set-00077,resources=deployments.apps,resourceNames=my-secret;b,groups="";apps;z.example.com,verbs=`update`
// +kubebuilder:rbac:roleName=set-00008,groups=core;*,resources={deployments.apps, pods/status},resourceNames=my-secret;x.y,verbs=*;update
// +kubebuilder:rbac:namespace=zoo,groups={""},roleName=set-00004,resources=*;pods/status;pods,verbs=bind;use;*
// +kubebuilder:rbac:roleName=set-00145,namespace=default,groups={"z.example.com", core, "batch"},verbs=list;create;bind,resources=pods/status;*/scale;deployments.apps
// +kubebuilder:rbac:verbs=create;update;*,resources=deployments.apps,groups="batch";"";"core",namespace=default,roleName=set-00145
// +kubebuilder:rbac:verbs={"get", bind},urls=*;/healthz;/a/*,roleName=set-00092
// +kubebuilder:rbac:verbs=create;update;bind,namespace=app-a,groups=example.com;*,resources=pods/status;*;jobs,roleName=set-00126
// +kubebuilder:rbac:roleName=set-00045,groups=batch,verbs=get,resources=pods,namespace=app-a
// +kubebuilder:rbac:resources=deployments,roleName=set-00022,groups={apps},verbs=list;bind
// +kubebuilder:rbac:groups=example.com;a-b.c;core,resources={*},namespace=app-a,roleName=set-00049,verbs=list
// +kubebuilder:rbac:verbs="list",resources=pods,roleName=set-00052,groups=""
// +kubebuilder:rbac:resources=*;jobs;deployments.apps,roleName=set-00078,verbs=list;create,groups={core, a-b.c, example.com}
// +kubebuilder:rbac:verbs=use;update,roleName=set-00004,groups=example.com,resources=*;deployments;pods,namespace=zoo
// +kubebuilder:rbac:resources="secrets";"pods",verbs="watch";"use";"list",roleName=set-00021,groups="example.com";"core";"z.example.com",resourceNames={a, my-secret}
// +kubebuilder:rbac:verbs=delete,resources=*/scale;pods;deployments.apps,roleName=set-00024,groups=a-b.c
// +kubebuilder:rbac:verbs=delete;patch,roleName=set-00063,resources=deployments.apps;secrets;*/scale,groups={a-b.c, batch, "core"},namespace=app-a
// +kubebuilder:rbac:verbs=create,groups={batch},namespace=default,roleName=set-00146,resources=deployments;*;deployments.apps
// +kubebuilder:rbac:resources="pods/status",verbs={*, get, bind},roleName=set-00000,groups=z.example.com;apps;batch
// +kubebuilder:rbac:groups=*;batch,roleName=set-00055,resources=*/scale;jobs,verbs=list;update
// +kubebuilder:rbac:resources=deployments.apps,verbs=create;*;patch,groups=example.com;a-b.c;core,roleName=set-00032,namespace=default
// +kubebuilder:rbac:resources={deployments},namespace=app-a,verbs={watch, "create", get},groups="",roleName=set-00074
// +kubebuilder:rbac:resources=deployments.apps,groups=apps,roleName=set-00025,verbs=`get`;`delete`;`watch`
// +kubebuilder:rbac:resourceNames=b;my-secret,roleName=set-00007,resources=deployments.apps;secrets,verbs=*,groups=example.com,namespace=app-a
// +kubebuilder:rbac:verbs=`list`,groups=z.example.com;a-b.c,roleName=set-00055,resources={"jobs"},resourceNames=x.y
// +kubebuilder:rbac:groups="",resources=jobs,verbs="bind";"delete";"patch",roleName=set-00138
// +kubebuilder:rbac:groups=example.com;core,roleName=set-00128,verbs={"create", "delete", "bind"},resources=jobs;*,namespace=app-a
// +kubebuilder:rbac:roleName=set-00147,verbs=*,namespace=default,resources=deployments;jobs,groups=`batch`;`core`;`apps`
// +kubebuilder:rbac:resources=pods,groups="",namespace=zoo,roleName=set-00050,verbs=watch;delete
// +kubebuilder:rbac:verbs=get;delete,namespace=default,resources=`*`;`deployments`;`deployments.apps`,roleName=set-00061,groups=batch
// +kubebuilder:rbac:namespace=zoo,roleName=set-00010,verbs="list";"update";"bind",resources="*";"*/scale",groups=a-b.c;batch
// +kubebuilder:rbac:namespace=zoo,roleName=set-00010,verbs=create;watch,groups=example.com;apps;*,resources="jobs";"deployments.apps"
// +kubebuilder:rbac:verbs=watch,roleName=set-00058,groups=z.example.com;a-b.c,resourceNames=x.y;b,resources=secrets
// +kubebuilder:rbac:verbs={patch, update},resources=deployments.apps;*/scale,groups={"", batch, "core"},namespace=zoo,roleName=set-00075
// +kubebuilder:rbac:resources=deployments;*/scale,namespace=app-a,verbs={bind, "patch", "list"},roleName=set-00097,groups=`example.com`;`a-b.c`
// +kubebuilder:rbac:verbs=delete,resourceNames={"x.y", a},groups={apps},resources=pods;jobs,roleName=set-00113
// +kubebuilder:rbac:resources={"*", deployments},verbs={"delete", update},roleName=set-00136,namespace=zoo,groups=apps;a-b.c
// +kubebuilder:rbac:resources=deployments.apps;*/scale,namespace=zoo,groups="batch",roleName=set-00075,verbs=*;get;delete
// +kubebuilder:rbac:roleName=set-00078,urls=*;/metrics,verbs=`delete`
// +kubebuilder:rbac:roleName=set-00082,verbs=watch,groups={"z.example.com", batch, apps},resources=deployments.apps
// +kubebuilder:rbac:groups=`*`;`batch`;`apps`,roleName=set-00087,resources=deployments;pods/status;jobs,verbs="patch";"update"
// +kubebuilder:rbac:roleName=set-00084,verbs={delete, "bind"},urls=/a/*;/healthz;/metrics
// +kubebuilder:rbac:roleName=set-00041,verbs=use;update;list,groups="";*;example.com,resources=jobs
// +kubebuilder:rbac:roleName=set-00003,groups="z.example.com";"batch";"core",resources={"jobs"},verbs=delete;bind;*
// +kubebuilder:rbac:resourceNames="b",groups=batch;core;"",roleName=set-00144,verbs=watch;use,resources=deployments.apps
// +kubebuilder:rbac:urls=/healthz;*;/metrics,verbs="use",roleName=set-00149
// +kubebuilder:rbac:roleName=set-00052,groups=z.example.com;a-b.c,verbs=update,resources=pods;deployments;*/scale
// +kubebuilder:rbac:verbs=`use`;`update`,namespace=app-a,groups=a-b.c;core,roleName=set-00083,resources=pods
// +kubebuilder:rbac:groups=apps,verbs={watch},namespace=default,roleName=set-00042,resources=deployments.apps
// +kubebuilder:rbac:verbs={update, "create"},groups=z.example.com;a-b.c,namespace=zoo,roleName=set-00136,resources="pods/status";"*/scale"
// +kubebuilder:rbac:verbs=use;bind;patch,roleName=set-00095,resourceNames={"my-secret"},groups="z.example.com",resources=deployments.apps;pods/status
// +kubebuilder:rbac:resources=secrets;pods,roleName=set-00055,groups={"z.example.com", "batch", core},verbs=patch;watch;bind
// +kubebuilder:rbac:namespace=app-a,groups=batch;core,resourceNames=my-secret;a,roleName=set-00056,verbs="list";"use";"create",resources="secrets"
// +kubebuilder:rbac:resources="pods/status",namespace=default,verbs="update";"get",groups={apps, "batch", "core"},roleName=set-00146
// +kubebuilder:rbac:roleName=set-00074,verbs="bind",groups=batch;*,namespace=app-a,resources="pods/status",resourceNames=b;x.y
// +kubebuilder:rbac:roleName=set-00040,resources=jobs;deployments;pods/status,verbs=delete;bind,groups=a-b.c
// +kubebuilder:rbac:verbs=update,resources=`deployments.apps`;`deployments`,roleName=set-00071,resourceNames=a,groups=core
// +kubebuilder:rbac:roleName=set-00034,resourceNames=`b`;`a`,resources=deployments,namespace=app-a,groups=batch;z.example.com;"",verbs=bind
// +kubebuilder:rbac:groups="";z.example.com,roleName=set-00057,verbs=`update`;`delete`;`create`,resources=pods;secrets;*/scale
// +kubebuilder:rbac:resources=deployments.apps;*/scale,namespace=zoo,roleName=set-00004,groups=z.example.com;"";batch,verbs={watch, "delete", "update"}
// +kubebuilder:rbac:resourceNames=my-secret,resources=secrets;jobs;pods,roleName=set-00139,groups="";batch,verbs=bind
// +kubebuilder:rbac:roleName=set-00076,groups=apps,verbs="list",resourceNames={"b"},resources=jobs
// +kubebuilder:rbac:groups=a-b.c;z.example.com,roleName=set-00048,resources=pods;secrets;deployments,verbs=create;bind,namespace=zoo
// +kubebuilder:rbac:resources=`deployments.apps`;`jobs`,verbs=create,groups="a-b.c",roleName=set-00006
// +kubebuilder:rbac:verbs=`use`,resources={"jobs"},groups=example.com;core,roleName=set-00060
// +kubebuilder:rbac:verbs={delete, "create", "get"},groups="";"*";"batch",resources=pods/status,roleName=set-00139
// +kubebuilder:rbac:groups="z.example.com";"apps",resources=secrets,roleName=set-00100,verbs=`create`;`list`,namespace=app-a
// +kubebuilder:rbac:namespace=zoo,resources={secrets},verbs=list;patch,roleName=set-00096,groups=batch
// +kubebuilder:rbac:resources=pods;deployments.apps,roleName=set-00038,verbs=delete;get,namespace=app-a,groups=batch;z.example.com,resourceNames=my-secret
// +kubebuilder:rbac:resources={"deployments", deployments.apps, "*/scale"},groups="a-b.c",roleName=set-00121,verbs=bind;delete;create
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:groups="";`z.example.com`,resources=deployments;*,verbs=update,namespace=zoo,roleName=set-00015
// +kubebuilder:rbac:verbs=use;list;*,groups="z.example.com",namespace=app-a,resources=pods,roleName=set-00074
// +kubebuilder:rbac:groups="",roleName=set-00094,verbs={delete, "*"},resources="*/scale";"secrets";"deployments",resourceNames="a";"b"
// +kubebuilder:rbac:groups=example.com;*;apps,resources=pods/status;*/scale;secrets,verbs=delete,namespace=zoo,roleName=set-00129
// +kubebuilder:rbac:roleName=set-00115,groups={batch, "apps", z.example.com},resources=secrets;deployments.apps,verbs={"patch"}
// +kubebuilder:rbac:verbs=get;create;use,resources="deployments.apps";"*/scale",roleName=set-00133,groups=example.com;batch
// +kubebuilder:rbac:roleName=set-00145,resources=deployments;secrets,verbs=patch;watch;list,namespace=default,groups=*;a-b.c
// +kubebuilder:rbac:resourceNames=b;a,roleName=set-00054,resources=*;deployments,verbs="use";"create";"update",namespace=default,groups=*;example.com;a-b.c
// +kubebuilder:rbac:roleName=set-00023,namespace=default,resources=deployments.apps;deployments,groups=apps;a-b.c,verbs=bind
// +kubebuilder:rbac:verbs=watch;update,resources={"pods/status"},groups=batch;example.com,namespace=app-a,roleName=set-00035
// +kubebuilder:rbac:resources=*;*/scale,namespace=app-a,verbs={*, "use", "delete"},groups=example.com;a-b.c;core,resourceNames=a;my-secret,roleName=set-00046
// +kubebuilder:rbac:roleName=set-00089,verbs=create;use,resources=deployments;*/scale,groups=*,resourceNames=a;b
// +kubebuilder:rbac:resources=secrets,roleName=set-00045,namespace=app-a,groups=batch;apps,verbs={"use"}
// +kubebuilder:rbac:groups="core";"",verbs="bind",resources={deployments, */scale, "deployments.apps"},namespace=default,roleName=set-00102
// +kubebuilder:rbac:roleName=set-00007,verbs=delete,resources={"*", */scale, "pods"},groups="",namespace=app-a
// +kubebuilder:rbac:verbs=patch,groups=a-b.c;core,resources="jobs",resourceNames=x.y;a,roleName=set-00084
// +kubebuilder:rbac:resources=secrets;pods,roleName=set-00140,groups="",verbs=bind;*;patch
// +kubebuilder:rbac:verbs=*;bind;use,resources={*/scale, jobs, "deployments"},groups="";"batch";"example.com",namespace=app-a,roleName=set-00143
// +kubebuilder:rbac:resources={jobs, "secrets"},resourceNames=x.y,roleName=set-00114,groups=batch;core;a-b.c,verbs="use"
// +kubebuilder:rbac:verbs=update,groups=core;*,roleName=set-00108,resources={"secrets", "deployments", deployments.apps},namespace=app-a
// +kubebuilder:rbac:roleName=set-00138,urls=/metrics;/a/*;/healthz,verbs=use
// +kubebuilder:rbac:roleName=set-00076,groups=z.example.com;a-b.c,verbs={watch},resources=`jobs`;`deployments`,resourceNames="b";"my-secret"
// +kubebuilder:rbac:resources="secrets",verbs="delete";"use",roleName=set-00085,groups=batch
// +kubebuilder:rbac:resources={pods},groups=`core`;`apps`;`example.com`,verbs={"bind"},roleName=set-00012
// +kubebuilder:rbac:resources=secrets;pods/status,roleName=set-00126,namespace=app-a,groups=apps;batch,verbs=patch
// +kubebuilder:rbac:urls=/metrics;/healthz;*,verbs=delete,roleName=set-00022
// +kubebuilder:rbac:groups="",roleName=set-00024,verbs=update,resources=jobs;deployments;deployments.apps
// +kubebuilder:rbac:roleName=set-00058,verbs=delete;create,resources=jobs;deployments;*,groups=batch;z.example.com
// +kubebuilder:rbac:roleName=set-00043,groups=apps;z.example.com,namespace=default,verbs=list;use,resources={pods, pods/status, secrets}
// +kubebuilder:rbac:urls="*";"/metrics",verbs=list,roleName=set-00037
// +kubebuilder:rbac:verbs=bind;patch,resources=*/scale,groups=apps;example.com;"",roleName=set-00086
// +kubebuilder:rbac:verbs=bind;list,resourceNames=my-secret;b,groups="z.example.com",resources=*/scale;jobs;deployments.apps,namespace=zoo,roleName=set-00002
// +kubebuilder:rbac:namespace=default,groups=apps;example.com;"",verbs=use,roleName=set-00130,resourceNames="b",resources=`*`;`secrets`;`deployments`
// +kubebuilder:rbac:resources=jobs;pods;*,verbs={update, delete},groups="";z.example.com;core,resourceNames=x.y,roleName=set-00085
// +kubebuilder:rbac:groups=core,roleName=set-00010,verbs=update;*,namespace=zoo,resources=deployments;pods/status
// +kubebuilder:rbac:resources=deployments.apps;pods,verbs=`patch`,roleName=set-00127,groups=core;""
// +kubebuilder:rbac:namespace=zoo,resources=secrets;pods/status;deployments.apps,roleName=set-00050,verbs=use;create;bind,groups={batch}
// +kubebuilder:rbac:resources=pods/status;deployments,roleName=set-00093,verbs=patch;watch,namespace=zoo,groups=a-b.c;batch;*,resourceNames=x.y;b
// +kubebuilder:rbac:groups=apps;batch,resources=secrets;pods,roleName=set-00011,resourceNames=a;x.y,verbs=use,namespace=app-a
// +kubebuilder:rbac:verbs=watch,groups=z.example.com;core;apps,roleName=set-00078,resources="*/scale";"secrets"
// +kubebuilder:rbac:namespace=app-a,groups={"*", "z.example.com", a-b.c},resources="*/scale",resourceNames={"b"},verbs=use;get,roleName=set-00064
// +kubebuilder:rbac:roleName=set-00018,verbs=get,resources=deployments.apps,namespace=app-a,groups="z.example.com";"a-b.c";""
// +kubebuilder:rbac:roleName=set-00099,resources=deployments.apps;deployments,groups=z.example.com;apps;batch,verbs="get",namespace=zoo
// +kubebuilder:rbac:groups=*;core,verbs={watch, "*"},resources=secrets;*,roleName=set-00033,resourceNames=my-secret,namespace=default
// +kubebuilder:rbac:namespace=zoo,roleName=set-00051,groups=batch;example.com;*,verbs=update,resources=*/scale
// +kubebuilder:rbac:verbs=list,roleName=set-00132,namespace=app-a,resources=deployments.apps;deployments;pods,groups=*;apps,resourceNames=b
// +kubebuilder:rbac:verbs="create",resources=deployments.apps;jobs,groups="*";"core";"",roleName=set-00006
// +kubebuilder:rbac:namespace=default,roleName=set-00068,groups="example.com";"*",verbs=*;list,resources={"jobs", secrets, pods},resourceNames=b
// +kubebuilder:rbac:verbs=list;get,roleName=set-00039,groups={"example.com", ""},resources=*/scale,namespace=zoo
