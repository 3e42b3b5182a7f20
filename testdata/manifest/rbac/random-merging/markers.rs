// +kubebuilder:rbac:resources={"pods", jobs},roleName=set-00036,namespace=default,groups=core;batch,verbs={"list", get}
// +kubebuilder:rbac:groups=core;apps,verbs=get;list;*,resources=a;jobs,resourceNames=a,roleName=set-00064
// +kubebuilder:rbac:verbs=*;list,roleName=set-00062,groups={core, "apps", "batch"},namespace=app-a,resources="pods";"jobs"
// +kubebuilder:rbac:groups={"batch"},namespace=app-a,roleName=set-00088,verbs={"list", "get"},resources="a"
// +kubebuilder:rbac:resources={"a", "jobs"},groups=apps,verbs=list,roleName=set-00064
// +kubebuilder:rbac:groups=batch;apps;core,resources=pods;a;jobs,verbs=list,namespace=app-a,roleName=set-00031
// +kubebuilder:rbac:roleName=set-00086,verbs=*,groups="apps";"core";"batch",resources=a
// +kubebuilder:rbac:groups=apps;core;batch,resources="pods",roleName=set-00112,verbs={get}
// +kubebuilder:rbac:namespace=zoo,groups="apps",verbs=list;*;get,resourceNames="b";"a",resources=a,roleName=set-00119
// +kubebuilder:rbac:resourceNames="b";"a",roleName=set-00049,resources=`a`,groups=apps;core;batch,verbs=list;get
// +kubebuilder:rbac:roleName=set-00050,groups=apps,namespace=default,resources=pods;jobs,verbs=list
// +kubebuilder:rbac:groups="core",resourceNames=a,resources=pods,verbs=get;list,roleName=set-00056
// +kubebuilder:rbac:groups=batch;core,namespace=app-a,resources=pods;jobs;a,verbs=*,roleName=set-00016
// +kubebuilder:rbac:namespace=zoo,resources=jobs,roleName=set-00087,resourceNames=`b`,verbs=get,groups=`batch`;`core`;`apps`
// +kubebuilder:rbac:resourceNames={b},verbs=list;*,roleName=set-00088,groups={batch, apps, "core"},resources=a;pods,namespace=app-a
// +kubebuilder:rbac:roleName=set-00108,resources=jobs,verbs="get",groups={"batch"}
// +kubebuilder:rbac:namespace=default,verbs=list,groups={"core"},roleName=set-00050,resources=pods;a
// +kubebuilder:rbac:roleName=set-00067,groups=batch;core;apps,resources=a;pods,verbs=*;list
// +kubebuilder:rbac:resources="a";"jobs",verbs=*;get;list,roleName=set-00044,namespace=default,groups=batch;apps
// +kubebuilder:rbac:groups={"apps"},resources=a;jobs,verbs=`*`,roleName=set-00073,namespace=default
// +kubebuilder:rbac:resources={pods, "jobs"},verbs="get";"*",groups="batch",roleName=set-00094
// +kubebuilder:rbac:verbs=list,roleName=set-00002,resources=jobs;a;pods,groups=`batch`;`core`
// +kubebuilder:rbac:groups={core},roleName=set-00021,verbs=*;list;get,resources=pods
// +kubebuilder:rbac:groups=core,verbs={get, list, *},resources=pods;a;jobs,roleName=set-00013
// +kubebuilder:rbac:verbs="get",roleName=set-00028,resources=jobs;pods,groups=core,namespace=default
// +kubebuilder:rbac:namespace=app-a,verbs=*;list,groups=batch;apps,resources=`jobs`;`pods`,roleName=set-00075
// +kubebuilder:rbac:verbs=*;get;list,groups={apps, "batch"},resources="jobs";"pods";"a",roleName=set-00048
// +kubebuilder:rbac:resources=pods,verbs={"get"},groups=core;batch,roleName=set-00086
// +kubebuilder:rbac:verbs="*";"list",resources=jobs;a;pods,roleName=set-00021,groups={batch, apps}
// +kubebuilder:rbac:verbs=get;*,roleName=set-00098,namespace=app-a,resources=pods;a,groups=core;batch,resourceNames=a
// +kubebuilder:rbac:urls=/healthz;/metrics;/a/*,roleName=set-00049,verbs={get}
// +kubebuilder:rbac:resources=jobs;pods,verbs="*";"get",groups="batch";"apps",roleName=set-00113
// +kubebuilder:rbac:roleName=set-00098,resources=jobs;pods,namespace=app-a,groups={"core", apps},verbs=get,resourceNames={a, "b"}
// +kubebuilder:rbac:groups="batch",namespace=default,roleName=set-00036,verbs={list},resources=jobs;pods;a
// +kubebuilder:rbac:verbs=list;*,resources=a,roleName=set-00108,groups="apps"
// +kubebuilder:rbac:resources=pods,verbs=get,roleName=set-00103,groups=core;apps
// +kubebuilder:rbac:namespace=app-a,resources=a,verbs=get,groups=core;apps;batch,resourceNames={a},roleName=set-00118
// +kubebuilder:rbac:groups=apps;batch,resources={"pods"},verbs=get,roleName=set-00057
// +kubebuilder:rbac:namespace=zoo,verbs=get;*;list,resources="a";"pods";"jobs",roleName=set-00001,groups=`apps`;`core`;`batch`
// +kubebuilder:rbac:roleName=set-00089,groups="core",verbs={*, list},namespace=zoo,resources=jobs
// +kubebuilder:rbac:resources=jobs;a;pods,verbs=*;list;get,groups=batch,namespace=app-a,roleName=set-00107
// +kubebuilder:rbac:roleName=set-00009,namespace=default,resourceNames=`b`,verbs=*,resources=jobs;pods,groups=batch;core;apps
// +kubebuilder:rbac:resources={"jobs", "pods"},verbs=list;get,groups=apps;batch;core,roleName=set-00097
// +kubebuilder:rbac:resources=a;jobs;pods,groups=apps;core,namespace=default,roleName=set-00027,verbs=*;get;list
// +kubebuilder:rbac:roleName=set-00101,verbs="*";"list",resources=jobs;a;pods,groups=batch;apps;core,namespace=zoo
// +kubebuilder:rbac:resources=jobs;pods;a,groups={apps, "core", batch},verbs=list;*,roleName=set-00054
// +kubebuilder:rbac:groups=core;batch;apps,resources=a;jobs;pods,verbs={get, *},namespace=default,resourceNames=a;b,roleName=set-00040
// +kubebuilder:rbac:verbs=list;*,urls=/metrics;*,roleName=set-00006
// +kubebuilder:rbac:roleName=set-00092,groups=apps;core;batch,namespace=zoo,verbs=`get`,resources="a";"pods"
// +kubebuilder:rbac:urls=*,verbs=*;list,roleName=set-00106
// +kubebuilder:rbac:resources=jobs;a;pods,verbs="get";"*";"list",namespace=default,roleName=set-00036,groups={apps, batch, core}
// +kubebuilder:rbac:verbs={"*", list},groups={"batch"},resources=a;jobs;pods,namespace=zoo,roleName=set-00089
// +kubebuilder:rbac:resources=jobs;a;pods,verbs=get,roleName=set-00067,groups="core";"batch";"apps"
// +kubebuilder:rbac:roleName=set-00091,verbs="get",urls=/metrics;/healthz
// +kubebuilder:rbac:resources=a;pods;jobs,verbs=*;get,groups={apps},roleName=set-00096,namespace=zoo
// +kubebuilder:rbac:resources={a, jobs, "pods"},groups={"apps", batch, core},resourceNames="a",verbs=list;get;*,roleName=set-00085,namespace=zoo
// +kubebuilder:rbac:roleName=set-00040,verbs=list;*;get,namespace=default,resources=a;jobs;pods,groups=core;apps
// +kubebuilder:rbac:verbs=*;list,roleName=set-00102,resourceNames=b,namespace=default,resources=jobs,groups=core
// +kubebuilder:rbac:resources=jobs;pods,namespace=app-a,groups={"batch", core},verbs=list;get;*,roleName=set-00075
// +kubebuilder:rbac:groups={batch, apps, "core"},roleName=set-00073,namespace=default,resources="pods";"a";"jobs",verbs=*;list;get
// +kubebuilder:rbac:resources="pods";"a",groups="apps";"core",roleName=set-00044,verbs={"list", *},namespace=default
// +kubebuilder:rbac:roleName=set-00092,resources=a;pods,groups=`apps`;`batch`;`core`,verbs="*",namespace=zoo
// +kubebuilder:rbac:resources="jobs",groups=core,resourceNames=b,roleName=set-00076,verbs={"get", *}
// +kubebuilder:rbac:namespace=default,resourceNames=b;a,resources=a;pods,verbs=get;list;*,roleName=set-00014,groups=apps;batch
// +kubebuilder:rbac:groups={batch, core},resources="a";"pods",namespace=zoo,verbs=list,roleName=set-00119
// +kubebuilder:rbac:resources={pods},resourceNames=b;a,groups=batch;core,roleName=set-00012,verbs=get;*
// +kubebuilder:rbac:namespace=zoo,verbs=list;get,roleName=set-00095,groups=core,resources="a";"pods";"jobs"
// +kubebuilder:rbac:verbs={"*", get, "list"},roleName=set-00065,resourceNames={"b"},resources="pods";"jobs";"a",groups=batch;core
// +kubebuilder:rbac:resources=`pods`;`a`,groups="apps";"batch",roleName=set-00095,namespace=zoo,verbs="*";"get";"list"
// +kubebuilder:rbac:roleName=set-00079,resources=pods;a;jobs,resourceNames=a,verbs=get,groups=apps;core
// +kubebuilder:rbac:namespace=zoo,roleName=set-00089,resources=pods;jobs,groups=`batch`;`core`,verbs=*;get;list,resourceNames=a;b
// +kubebuilder:rbac:urls=/a/*;*,roleName=set-00110,verbs=*;list
// +kubebuilder:rbac:groups={"core", "batch", apps},roleName=set-00103,verbs="get";"list",resources=jobs;pods
// +kubebuilder:rbac:roleName=set-00113,verbs="get",urls={"/healthz", /metrics}
// +kubebuilder:rbac:resources=jobs;pods,verbs={*, "list", get},roleName=set-00097,groups={apps, batch}
// +kubebuilder:rbac:groups=apps,resources=a;jobs;pods,roleName=set-00021,verbs=list;*;get
// +kubebuilder:rbac:roleName=set-00018,resources="pods",verbs=get,groups=core;apps,namespace=app-a
// +kubebuilder:rbac:groups=core,verbs=*,roleName=set-00034,resources=jobs;a,namespace=app-a
// +kubebuilder:rbac:roleName=set-00058,urls="/a/*";"*";"/metrics",verbs="get";"*"
// +kubebuilder:rbac:resources=`a`;`pods`;`jobs`,roleName=set-00109,verbs=get;*,groups=apps;core;batch,resourceNames=a
// +kubebuilder:rbac:resources="pods",namespace=app-a,roleName=set-00118,resourceNames=`a`,groups="apps";"batch";"core",verbs="*"
// +kubebuilder:rbac:groups=batch;core;apps,resources=pods;a,namespace=zoo,roleName=set-00101,verbs=get;*
// +kubebuilder:rbac:verbs=get,resources=jobs,roleName=set-00058,groups="core";"apps";"batch"
// +kubebuilder:rbac:resources=a,groups=apps;batch;core,roleName=set-00094,verbs=get
// +kubebuilder:rbac:resources=pods,verbs=get;list,roleName=set-00008,groups=batch,namespace=default
// +kubebuilder:rbac:resources=a,verbs={"get", "*", list},groups=core;apps;batch,namespace=default,roleName=set-00044
// +kubebuilder:rbac:resources=pods;jobs,resourceNames=b,namespace=default,roleName=set-00009,verbs=`*`;`list`;`get`,groups={apps}
// +kubebuilder:rbac:roleName=set-00103,groups={apps, "batch", "core"},resources=a;pods;jobs,verbs=list
// +kubebuilder:rbac:roleName=set-00070,urls=/healthz;/metrics;*,verbs=list;*
// +kubebuilder:rbac:roleName=set-00010,groups={"apps", core, batch},verbs={"get", "*"},resources=jobs;a;pods
// +kubebuilder:rbac:resources=`a`,groups=core,roleName=set-00086,resourceNames="a",verbs={"list", get, *}
// +kubebuilder:rbac:verbs="*";"list";"get",groups=batch;apps,resourceNames=a,resources=a,roleName=set-00007
// +kubebuilder:rbac:verbs=`get`,roleName=set-00027,resources=a,groups=`apps`;`batch`,namespace=default
// +kubebuilder:rbac:groups=apps;batch,resourceNames=b,resources=a,verbs=get;*;list,roleName=set-00081,namespace=default
// +kubebuilder:rbac:namespace=default,resources=jobs,verbs=get,roleName=set-00083,groups=core;batch
// +kubebuilder:rbac:roleName=set-00011,verbs=*,groups={"core", apps, batch},resources=pods;jobs;a,resourceNames=a,namespace=default
// +kubebuilder:rbac:verbs=get;list;*,roleName=set-00106,groups=core;apps;batch,resources=a;pods;jobs
// +kubebuilder:rbac:roleName=set-00064,groups=batch;apps;core,verbs=get;list;*,resources=jobs
// +kubebuilder:rbac:roleName=set-00097,urls={"/a/*", "/healthz"},verbs={get, *}
// +kubebuilder:rbac:roleName=set-00079,urls=/healthz,verbs=list
// +kubebuilder:rbac:resources={jobs, "pods"},roleName=set-00022,groups=batch,resourceNames=b;a,verbs="get";"*"
// +kubebuilder:rbac:verbs="*",roleName=set-00001,namespace=zoo,groups=core;batch,resources={jobs, "a", "pods"}
// +kubebuilder:rbac:groups=apps,verbs=list;*,resourceNames={b, "a"},roleName=set-00104,resources=a
// +kubebuilder:rbac:groups=core,resources=a,verbs=list;get,roleName=set-00094
// +kubebuilder:rbac:roleName=set-00094,verbs=*,urls=/healthz;/a/*;/metrics
// +kubebuilder:rbac:urls=/healthz;/a/*,roleName=set-00021,verbs=get;*;list
// +kubebuilder:rbac:verbs="get";"list";"*",resources=a;pods;jobs,roleName=set-00066,groups=batch
// +kubebuilder:rbac:groups=batch,resourceNames=a,roleName=set-00082,resources={"pods", jobs, "a"},verbs="*";"list";"get",namespace=zoo
// +kubebuilder:rbac:groups=core;batch,verbs=`get`,resources=jobs;a;pods,roleName=set-00022
// +kubebuilder:rbac:namespace=zoo,resources=a;jobs;pods,roleName=set-00082,groups=core;apps,verbs=*
// +kubebuilder:rbac:roleName=set-00004,resources=pods;jobs;a,verbs="*";"list",resourceNames=a,groups="apps"
// +kubebuilder:rbac:resources={a, "jobs"},resourceNames=a,roleName=set-00046,groups="core";"batch";"apps",verbs=get;*,namespace=default
// +kubebuilder:rbac:namespace=default,resources={jobs, a},groups=core;batch;apps,verbs="get",roleName=set-00024
// +kubebuilder:rbac:namespace=default,verbs=get;list;*,resources=a;jobs,roleName=set-00024,groups=apps;batch;core
// +kubebuilder:rbac:roleName=set-00018,namespace=app-a,groups=batch,resources=a;jobs;pods,verbs={*}
// +kubebuilder:rbac:groups={apps},resources=jobs;a,resourceNames=a,roleName=set-00114,verbs=`get`
// +kubebuilder:rbac:roleName=set-00088,verbs={list},groups=core;batch,namespace=app-a,resources=jobs;pods;a,resourceNames=a
// +kubebuilder:rbac:groups=apps,roleName=set-00047,resourceNames=a;b,namespace=zoo,resources=jobs,verbs=get;list
// +kubebuilder:rbac:roleName=set-00110,resources=pods,groups=batch,verbs=get;*
// +kubebuilder:rbac:resources="a";"pods",groups=`core`;`apps`;`batch`,verbs={list, get},roleName=set-00030,resourceNames={b, a}
// +kubebuilder:rbac:verbs="*",resources=jobs;pods,roleName=set-00086,groups=core;batch
// +kubebuilder:rbac:resources="pods",verbs=get;list;*,groups=core;apps,roleName=set-00048
// +kubebuilder:rbac:verbs={"list", "*"},resources="a";"jobs";"pods",groups=apps,roleName=set-00012
// +kubebuilder:rbac:verbs="get";"list",resources=pods,roleName=set-00069,groups="core";"batch";"apps",namespace=app-a
// +kubebuilder:rbac:verbs=*;list;get,roleName=set-00103,resources=pods;jobs;a,groups=apps;batch;core
// +kubebuilder:rbac:verbs=list;*;get,roleName=set-00005,urls=/metrics
// +kubebuilder:rbac:roleName=set-00092,groups=core,resources={"pods", "jobs", a},resourceNames={b, "a"},verbs=list,namespace=zoo
// +kubebuilder:rbac:verbs={"list", "get", *},resources=a;pods;jobs,groups=core;batch,namespace=default,roleName=set-00117
// +kubebuilder:rbac:groups=batch,verbs=*,roleName=set-00017,resources=a
// +kubebuilder:rbac:roleName=set-00043,namespace=app-a,verbs=list;get,groups="batch",resources="pods";"a";"jobs"
// +kubebuilder:rbac:roleName=set-00011,namespace=default,groups={"batch"},resources=jobs,verbs="*"
// +kubebuilder:rbac:groups={apps, core},verbs=get;*;list,resources=pods;jobs,namespace=app-a,roleName=set-00043
// +kubebuilder:rbac:verbs=get,groups=apps;core;batch,namespace=zoo,resources=jobs,roleName=set-00119
// +kubebuilder:rbac:roleName=set-00017,resources=a;jobs,groups=`core`,verbs=*;get;list
// +kubebuilder:rbac:groups="apps";"batch";"core",roleName=set-00023,resourceNames=b;a,resources="jobs",verbs=list
// +kubebuilder:rbac:resources=a;jobs;pods,verbs=list,roleName=set-00035,groups=batch;apps
// +kubebuilder:rbac:groups={batch, apps, core},roleName=set-00026,namespace=default,verbs=*,resources=a;pods
// +kubebuilder:rbac:resources=a;pods;jobs,verbs="list",roleName=set-00016,groups={"batch", "core", "apps"},namespace=app-a
// +kubebuilder:rbac:namespace=zoo,resourceNames=a;b,verbs=*;list,groups=apps;core,resources={pods, a},roleName=set-00047
// +kubebuilder:rbac:roleName=set-00097,verbs=*;list,urls=/metrics;*
// +kubebuilder:rbac:resources={"a", pods},groups=batch,roleName=set-00029,verbs="*";"get";"list",namespace=zoo,resourceNames=`b`;`a`
// +kubebuilder:rbac:roleName=set-00100,groups=batch;core;apps,verbs="list",resources=pods;jobs
// +kubebuilder:rbac:groups="apps";"core";"batch",verbs=list,roleName=set-00118,namespace=app-a,resources="a";"pods"
// +kubebuilder:rbac:roleName=set-00066,verbs=*;get;list,resources={jobs},groups={"core", "apps", batch}
// +kubebuilder:rbac:groups=batch;core;apps,resources=jobs,namespace=zoo,verbs="*",roleName=set-00047
// +kubebuilder:rbac:verbs="list";"get";"*",groups=batch,resources=pods;jobs,roleName=set-00067
// +kubebuilder:rbac:verbs={list},roleName=set-00057,groups=core;apps,resources=pods;jobs
// +kubebuilder:rbac:resources=a,groups={batch, apps, core},verbs=`get`;`list`;`*`,resourceNames=b;a,roleName=set-00118,namespace=app-a
// +kubebuilder:rbac:namespace=default,resources=a;pods;jobs,groups="batch";"core",roleName=set-00008,verbs=get;list
// +kubebuilder:rbac:roleName=set-00074,groups=apps,resources=pods,verbs=get;list;*
// +kubebuilder:rbac:groups=batch,roleName=set-00023,resources=pods;a,verbs=get
// +kubebuilder:rbac:resourceNames=a;b,roleName=set-00066,verbs=*;get,groups={"apps"},resources="pods";"jobs";"a"
// +kubebuilder:rbac:roleName=set-00042,urls=/healthz,verbs=get
// +kubebuilder:rbac:verbs=get;list;*,roleName=set-00093,resources=pods,groups=core;batch
// +kubebuilder:rbac:resources=a;pods;jobs,groups=batch;apps;core,roleName=set-00079,resourceNames="b";"a",verbs="*"
// +kubebuilder:rbac:resources="pods";"a",roleName=set-00087,groups=batch,resourceNames="b";"a",verbs={get, list},namespace=zoo
// +kubebuilder:rbac:verbs=list;*;get,resources=a;pods,roleName=set-00106,groups="apps"
// +kubebuilder:rbac:roleName=set-00053,verbs=*;list,urls={"/a/*"}
// +kubebuilder:rbac:resources=pods;jobs,verbs=list,resourceNames={"a"},roleName=set-00013,groups=apps
// +kubebuilder:rbac:verbs=get;*,urls=/a/*;/healthz,roleName=set-00010
// +kubebuilder:rbac:namespace=default,resources="a";"pods";"jobs",verbs=get;list,groups=`batch`,roleName=set-00008
// +kubebuilder:rbac:groups=batch;core;apps,namespace=zoo,roleName=set-00041,verbs=*;get,resources=pods;jobs;a
// +kubebuilder:rbac:resources=jobs;pods,verbs=`list`,groups="core";"batch",namespace=default,roleName=set-00028
// +kubebuilder:rbac:verbs=get;list,urls=/metrics;/healthz,roleName=set-00051
// +kubebuilder:rbac:groups=core;batch;apps,resourceNames=b;a,verbs=get;*,roleName=set-00015,resources=a;pods
// +kubebuilder:rbac:verbs=*;get;list,resources=jobs;a;pods,groups=`batch`;`apps`,roleName=set-00021
// +kubebuilder:rbac:resources=jobs,roleName=set-00041,groups=apps,verbs=get;*,namespace=zoo
// +kubebuilder:rbac:verbs={*, list},groups={apps, "core"},resources=jobs;a;pods,roleName=set-00094
// +kubebuilder:rbac:groups="apps";"batch",namespace=app-a,roleName=set-00090,resources=a;jobs;pods,verbs=list;*
// +kubebuilder:rbac:resourceNames="b",verbs="list";"*";"get",groups=batch,roleName=set-00099,resources=pods;a;jobs
// +kubebuilder:rbac:groups=core;apps,roleName=set-00097,verbs=*;get,resources=jobs
// +kubebuilder:rbac:resources=a,groups="batch",verbs=*,resourceNames=b;a,roleName=set-00023
// +kubebuilder:rbac:verbs=*;list,resourceNames=a,groups=apps,namespace=zoo,resources=jobs,roleName=set-00041
// +kubebuilder:rbac:groups=batch,verbs=`*`;`get`,roleName=set-00106,resources=a
// +kubebuilder:rbac:resourceNames=a,roleName=set-00087,groups=apps;batch;core,namespace=zoo,resources=a;pods;jobs,verbs="list";"*"
// +kubebuilder:rbac:verbs=get;list,resources=a;jobs,roleName=set-00076,groups=apps
// +kubebuilder:rbac:namespace=zoo,verbs=*;list;get,resources=jobs;a;pods,groups=batch;core;apps,roleName=set-00101
// +kubebuilder:rbac:groups=batch;apps;core,verbs=get;*;list,namespace=zoo,roleName=set-00078,resources=`jobs`;`a`;`pods`
// +kubebuilder:rbac:resources=pods,verbs=get;list,groups=apps,roleName=set-00000
// +kubebuilder:rbac:verbs=list;get;*,resources=pods;a;jobs,roleName=set-00039,groups="core"
// +kubebuilder:rbac:urls=/metrics;*,roleName=set-00049,verbs={get, "*", list}
// +kubebuilder:rbac:groups=batch;core;apps,verbs=*;list,resourceNames=a,resources=pods;a,roleName=set-00039
// +kubebuilder:rbac:resources=jobs,verbs={list, "*", get},roleName=set-00060,groups=batch;core;apps,namespace=app-a
// +kubebuilder:rbac:groups="batch",verbs=list;get,namespace=default,roleName=set-00044,resources="pods";"a"
// +kubebuilder:rbac:roleName=set-00003,resources=pods;a,verbs=get,groups=core,namespace=app-a
// +kubebuilder:rbac:groups={"core", "batch", apps},verbs="*",roleName=set-00018,namespace=app-a,resources=jobs
// +kubebuilder:rbac:resources=pods;a;jobs,namespace=default,groups=batch;core;apps,roleName=set-00117,verbs={get}
// +kubebuilder:rbac:roleName=set-00000,verbs="get",urls={/healthz, "*"}
// +kubebuilder:rbac:resourceNames=b,verbs={list, *},namespace=default,resources="a",roleName=set-00081,groups={apps}
// +kubebuilder:rbac:verbs=get;*;list,resources=pods;a;jobs,namespace=default,roleName=set-00115,groups="batch";"apps";"core"
// +kubebuilder:rbac:verbs=list;get;*,groups=apps,roleName=set-00098,namespace=app-a,resources={"a"}
// +kubebuilder:rbac:resources=pods,groups=apps,namespace=zoo,verbs=get;list;*,roleName=set-00047
// +kubebuilder:rbac:roleName=set-00119,groups=core;apps;batch,verbs=list,namespace=zoo,resources="jobs"
// +kubebuilder:rbac:verbs=`get`,resourceNames="a";"b",resources=a,groups=batch;core;apps,roleName=set-00064
// +kubebuilder:rbac:roleName=set-00095,resources=jobs;a,namespace=zoo,verbs=*;list,groups=batch;apps
// +kubebuilder:rbac:groups={"apps", "core", "batch"},resources="a",verbs=*;list;get,roleName=set-00080,resourceNames=a
// +kubebuilder:rbac:verbs=*,roleName=set-00006,resources=jobs,groups=batch;apps
// +kubebuilder:rbac:verbs={"get", "*", list},namespace=default,groups=batch,resources=jobs,roleName=set-00050
// +kubebuilder:rbac:verbs=list,roleName=set-00104,groups=batch,resources=jobs;pods
// +kubebuilder:rbac:namespace=app-a,roleName=set-00090,resources={pods, a, jobs},groups=batch;apps,verbs="*"
// +kubebuilder:rbac:resourceNames=a,roleName=set-00058,resources=jobs,verbs="*";"list",groups=batch
// +kubebuilder:rbac:roleName=set-00099,resources={"jobs", a},groups=`core`;`batch`;`apps`,verbs=list;*
// +kubebuilder:rbac:groups=core,roleName=set-00057,verbs=*,resources=a;pods
// +kubebuilder:rbac:resources="jobs";"pods";"a",namespace=default,verbs=*;list,groups="core";"apps",roleName=set-00009
// +kubebuilder:rbac:groups={core, "batch"},resources={pods},verbs=list;get;*,namespace=app-a,roleName=set-00107
// +kubebuilder:rbac:resources={a, jobs, pods},groups=apps;batch,roleName=set-00032,verbs=get;*
// +kubebuilder:rbac:roleName=set-00105,namespace=app-a,resources=jobs,verbs=get,groups=core
// +kubebuilder:rbac:verbs="list";"get",resources=`pods`;`jobs`;`a`,groups=apps,roleName=set-00060,namespace=app-a
// +kubebuilder:rbac:resourceNames=a,resources="a",groups=apps,roleName=set-00027,verbs=*;list;get,namespace=default
// +kubebuilder:rbac:groups=apps,roleName=set-00047,verbs={"list", "*", "get"},resources={jobs, "pods", "a"},namespace=zoo
// +kubebuilder:rbac:verbs=list;*,roleName=set-00088,namespace=app-a,groups="batch";"core",resources={pods, "a"}
// +kubebuilder:rbac:verbs=list;get;*,roleName=set-00012,resources=pods;jobs,groups=batch;apps
// +kubebuilder:rbac:urls=*,roleName=set-00053,verbs="*";"get"
// +kubebuilder:rbac:resources=a;pods,namespace=default,verbs=*;list,roleName=set-00073,groups={"core", "batch"}
// +kubebuilder:rbac:verbs={get, list},groups=batch;apps,resources=a;jobs;pods,roleName=set-00058
// +kubebuilder:rbac:roleName=set-00106,groups=core;batch;apps,resources="pods",resourceNames="b";"a",verbs=list
// +kubebuilder:rbac:resources=a;pods,roleName=set-00072,groups={core, batch, "apps"},verbs=*;get
// +kubebuilder:rbac:groups=batch,verbs=get;list,namespace=app-a,roleName=set-00098,resources=jobs
// +kubebuilder:rbac:groups=core,roleName=set-00039,verbs=list;*,resources=a
// +kubebuilder:rbac:groups=apps;batch,resources=a;pods;jobs,roleName=set-00099,verbs=list
// +kubebuilder:rbac:verbs=*;list;get,roleName=set-00114,groups=apps;core,resources="jobs"
// +kubebuilder:rbac:verbs="*",groups=batch,roleName=set-00084,resources=a
// +kubebuilder:rbac:resources=a;pods,verbs="list";"*";"get",groups=core;apps,roleName=set-00084
// +kubebuilder:rbac:groups=batch,roleName=set-00040,resources=a;jobs;pods,verbs=*,namespace=default
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:roleName=set-00012,verbs=*;get,urls=/metrics;*
// +kubebuilder:rbac:roleName=set-00014,groups=batch;apps,resources=jobs;a,verbs=*;list,namespace=default
// +kubebuilder:rbac:roleName=set-00083,resources="pods",groups=apps;batch;core,verbs=*;list,namespace=default
// +kubebuilder:rbac:resources=a;jobs;pods,roleName=set-00006,verbs=*;list,groups={core, "batch"}
// +kubebuilder:rbac:groups=batch;apps,verbs=get,resources=a,roleName=set-00095,namespace=zoo
// +kubebuilder:rbac:verbs=*;get;list,urls={/metrics},roleName=set-00007
// +kubebuilder:rbac:urls=/a/*;*;/metrics,verbs="list";"get";"*",roleName=set-00080
// +kubebuilder:rbac:verbs=list,groups=apps,roleName=set-00114,resources="jobs";"a";"pods",resourceNames=b;a
// +kubebuilder:rbac:resources=pods;a,verbs={"get", *, list},roleName=set-00102,groups=batch;core,namespace=default
// +kubebuilder:rbac:resourceNames={a},roleName=set-00114,resources=pods;jobs;a,groups=`core`;`apps`,verbs=list;*
// +kubebuilder:rbac:resources=pods;jobs,namespace=default,groups="apps";"core";"batch",verbs=list,roleName=set-00026,resourceNames=a
// +kubebuilder:rbac:namespace=zoo,groups=core;apps;batch,verbs=list,roleName=set-00111,resources=pods;jobs
// +kubebuilder:rbac:roleName=set-00100,resources=pods,groups={core, batch, "apps"},resourceNames=b,verbs=get;*
// +kubebuilder:rbac:roleName=set-00102,groups=`batch`;`core`,verbs="list",namespace=default,resources=a
// +kubebuilder:rbac:roleName=set-00104,resources=pods,verbs="list";"*",groups={batch, "apps"}
// +kubebuilder:rbac:resources=a;pods,groups={core},namespace=default,resourceNames=a;b,roleName=set-00046,verbs="get"
// +kubebuilder:rbac:verbs={"*", get},groups=apps;batch;core,resources=pods,roleName=set-00076
// +kubebuilder:rbac:roleName=set-00001,namespace=zoo,resourceNames=a;b,verbs=get;list;*,resources=pods;a,groups={"batch", core, apps}
// +kubebuilder:rbac:namespace=app-a,resources=pods;jobs;a,verbs=get;*,resourceNames=b,roleName=set-00090,groups="core"
// +kubebuilder:rbac:resources=a;pods;jobs,groups=`batch`;`core`,roleName=set-00064,verbs=*
// +kubebuilder:rbac:resources=pods,roleName=set-00107,groups=batch,namespace=app-a,verbs=list;get;*
// +kubebuilder:rbac:roleName=set-00025,resources={"a", jobs},groups=apps;batch,verbs=list;get;*
// +kubebuilder:rbac:resources=jobs;a,groups={"core", "apps"},verbs=list;get,roleName=set-00114
// +kubebuilder:rbac:verbs=list;get;*,urls="/metrics",roleName=set-00100
// +kubebuilder:rbac:verbs=list;get;*,resources=pods;jobs;a,namespace=app-a,roleName=set-00060,groups="core"
// +kubebuilder:rbac:namespace=default,verbs=*;list;get,resources=`a`;`jobs`,groups=core;apps;batch,roleName=set-00081
// +kubebuilder:rbac:groups=core;apps,resources={pods},verbs=*,roleName=set-00076
// +kubebuilder:rbac:namespace=default,groups=apps,resources=pods,roleName=set-00020,verbs="list"
// +kubebuilder:rbac:groups=apps,roleName=set-00090,resources=pods;jobs,namespace=app-a,verbs=*
// +kubebuilder:rbac:namespace=app-a,groups=batch;core,verbs=list;get,roleName=set-00034,resourceNames=b;a,resources={jobs, "a", pods}
// +kubebuilder:rbac:namespace=default,resources=a;jobs,groups=apps;core,roleName=set-00024,verbs=list
// +kubebuilder:rbac:verbs=list;*;get,roleName=set-00063,namespace=default,resources=jobs,groups={"batch"}
// +kubebuilder:rbac:verbs=`list`,resourceNames=`a`;`b`,namespace=app-a,roleName=set-00034,resources="pods";"jobs";"a",groups=apps;core;batch
// +kubebuilder:rbac:verbs=*;get,namespace=app-a,resources={a},roleName=set-00018,groups=batch
// +kubebuilder:rbac:resources={"a", "pods"},verbs={"get"},groups={"apps"},roleName=set-00019
// +kubebuilder:rbac:resources=jobs;a,verbs=list;get;*,roleName=set-00070,groups=core
// +kubebuilder:rbac:namespace=default,resources=jobs;a,groups="batch";"core";"apps",verbs=*;get;list,roleName=set-00011
// +kubebuilder:rbac:resources=jobs,resourceNames=a,verbs={*},roleName=set-00113,groups=core
// +kubebuilder:rbac:groups=apps,verbs={"get", *, list},resources=pods,roleName=set-00079,resourceNames=a
// +kubebuilder:rbac:roleName=set-00045,resources=pods;jobs,verbs=get;*;list,groups="apps"
// +kubebuilder:rbac:roleName=set-00060,verbs=*,groups=apps,resources="a";"pods";"jobs",namespace=app-a
// +kubebuilder:rbac:roleName=set-00104,groups=apps;core;batch,verbs={list, *},resources=pods;jobs;a
// +kubebuilder:rbac:resourceNames=b;a,namespace=default,groups="batch",roleName=set-00011,verbs="get",resources=jobs
// +kubebuilder:rbac:roleName=set-00044,namespace=default,groups=apps;batch;core,verbs=list,resources={"pods"},resourceNames={b, "a"}
// +kubebuilder:rbac:resources=jobs,resourceNames="a",roleName=set-00049,verbs=list,groups=`core`;`apps`
// +kubebuilder:rbac:namespace=zoo,verbs=get,roleName=set-00087,resources=pods;a,groups=core
// +kubebuilder:rbac:resources=pods;a,roleName=set-00013,verbs={get, *},groups={apps, core, batch}
// +kubebuilder:rbac:resourceNames=a,roleName=set-00071,verbs={"list", get, *},resources="jobs";"pods";"a",groups=batch;core;apps
// +kubebuilder:rbac:urls=*;/a/*;/metrics,verbs={get, "*"},roleName=set-00091
// +kubebuilder:rbac:groups={"apps", batch, core},resources=a,verbs="get";"*",roleName=set-00071
// +kubebuilder:rbac:roleName=set-00038,resources=pods;a;jobs,groups="core";"apps",verbs=*
// +kubebuilder:rbac:groups="core",resources=a,namespace=zoo,roleName=set-00092,verbs=*,resourceNames=a;b
// +kubebuilder:rbac:roleName=set-00058,resources=`jobs`,verbs=`list`,groups=batch
// +kubebuilder:rbac:resources={"pods"},roleName=set-00071,verbs=*;get,groups=core
// +kubebuilder:rbac:roleName=set-00098,namespace=app-a,verbs=`*`;`list`;`get`,groups="apps";"batch",resources=pods;jobs;a
// +kubebuilder:rbac:resources=jobs,verbs={"list", get},groups="batch",roleName=set-00037
// +kubebuilder:rbac:verbs={*, list, "get"},groups="batch",resources=pods;a;jobs,roleName=set-00110
// +kubebuilder:rbac:roleName=set-00000,verbs="*",groups=batch,resources=a;pods
// +kubebuilder:rbac:roleName=set-00063,resources=a;jobs,verbs={"*", "list", get},groups={core},namespace=default
// +kubebuilder:rbac:groups=batch,roleName=set-00006,verbs={"list", "*", "get"},resources=jobs
// +kubebuilder:rbac:roleName=set-00094,verbs=get,groups=batch;apps,resources=a
// +kubebuilder:rbac:resourceNames="a",namespace=app-a,groups="batch";"apps",roleName=set-00018,resources={pods},verbs=`get`;`list`
// +kubebuilder:rbac:resources={"jobs", pods, "a"},groups=core;apps,resourceNames=b;a,roleName=set-00042,verbs=list;get;*
// +kubebuilder:rbac:verbs=list;get;*,roleName=set-00070,resources=jobs,resourceNames=b;a,groups="apps"
// +kubebuilder:rbac:roleName=set-00059,resources={"a", jobs, "pods"},verbs=list,namespace=app-a,groups="core";"batch",resourceNames={"a", "b"}
// +kubebuilder:rbac:namespace=default,groups=core,resources=pods,verbs=*;get;list,roleName=set-00052,resourceNames=a;b
// +kubebuilder:rbac:resources=a;pods;jobs,namespace=zoo,verbs=list;get;*,roleName=set-00001,groups={core}
// +kubebuilder:rbac:verbs=*;get,groups="apps";"core",namespace=zoo,roleName=set-00047,resources="pods";"a";"jobs"
// +kubebuilder:rbac:groups=batch;core,resources=jobs,verbs=get;list;*,roleName=set-00036,namespace=default
// +kubebuilder:rbac:verbs=list,roleName=set-00039,urls=/metrics;*
// +kubebuilder:rbac:namespace=app-a,resourceNames=b,groups=batch;apps,verbs=get;*;list,roleName=set-00107,resources=`a`;`jobs`
// +kubebuilder:rbac:resources=`jobs`,roleName=set-00043,verbs="get";"list",namespace=app-a,groups=batch;apps
// +kubebuilder:rbac:groups=core,verbs=`get`,namespace=app-a,resources=jobs;a;pods,roleName=set-00088
// +kubebuilder:rbac:resources=a,verbs=*;get,groups=core,roleName=set-00119,namespace=zoo
// +kubebuilder:rbac:groups=core;batch,resourceNames="a",resources={jobs, "a", "pods"},roleName=set-00059,namespace=app-a,verbs=list;*;get
// +kubebuilder:rbac:groups=apps,roleName=set-00022,resources=pods;jobs;a,verbs=list
// +kubebuilder:rbac:roleName=set-00036,groups=apps;core;batch,verbs=get;list;*,namespace=default,resources="jobs";"pods"
// +kubebuilder:rbac:resources=`a`,roleName=set-00040,namespace=default,verbs=list;*,groups=batch;apps;core
// +kubebuilder:rbac:resources=a;jobs;pods,roleName=set-00058,verbs={"get", *, list},resourceNames=a;b,groups={"batch", apps}
// +kubebuilder:rbac:namespace=zoo,groups=batch,roleName=set-00119,verbs="list",resources="a";"jobs"
// +kubebuilder:rbac:namespace=zoo,groups=batch;core;apps,verbs="get",resources=jobs;pods;a,roleName=set-00092
// +kubebuilder:rbac:resourceNames=b,groups="core",roleName=set-00066,resources="jobs",verbs=get
// +kubebuilder:rbac:groups=batch;apps;core,resources=a;jobs;pods,roleName=set-00070,verbs=list;*
// +kubebuilder:rbac:roleName=set-00062,resources="a",verbs=list;*,groups="core";"apps";"batch",namespace=app-a
// +kubebuilder:rbac:verbs={"*", get, "list"},roleName=set-00006,urls=/a/*;/healthz;/metrics
// +kubebuilder:rbac:resources=`jobs`,roleName=set-00088,verbs=list;*;get,groups=core;batch,namespace=app-a
// +kubebuilder:rbac:resources=jobs;a;pods,roleName=set-00075,groups=`batch`;`core`,verbs="get";"list",namespace=app-a
// +kubebuilder:rbac:groups=apps,roleName=set-00030,resources={jobs},verbs=get;*
// +kubebuilder:rbac:verbs="*",groups=core;batch,roleName=set-00061,namespace=default,resources="pods";"jobs";"a"
// +kubebuilder:rbac:roleName=set-00083,resources=pods;a;jobs,verbs=`list`;`*`;`get`,groups=core,namespace=default
// +kubebuilder:rbac:verbs=*;list,roleName=set-00065,urls=/a/*
// +kubebuilder:rbac:resources=pods;a;jobs,verbs=list;*;get,roleName=set-00019,groups=core
// +kubebuilder:rbac:resources="a",verbs=list;get;*,roleName=set-00066,groups=core;apps;batch
// +kubebuilder:rbac:resources=jobs;a;pods,verbs=list,groups=apps;core;batch,roleName=set-00094
// +kubebuilder:rbac:namespace=zoo,groups=`core`;`apps`;`batch`,verbs=get;list;*,roleName=set-00047,resources="jobs";"pods";"a"
// +kubebuilder:rbac:roleName=set-00071,groups={"apps"},resourceNames=b;a,resources=a,verbs={get}
// +kubebuilder:rbac:roleName=set-00029,resources=pods,namespace=zoo,groups=batch;core;apps,verbs=list;*;get
// +kubebuilder:rbac:roleName=set-00037,groups=batch;apps;core,resources=pods;a,verbs=get;*;list
// +kubebuilder:rbac:groups=batch,verbs="*";"list",resources=jobs,roleName=set-00110
// +kubebuilder:rbac:groups="apps";"batch";"core",verbs=`*`;`get`;`list`,resources=jobs;a;pods,roleName=set-00012
// +kubebuilder:rbac:groups=core;apps,resources={jobs, pods, a},roleName=set-00085,verbs={"list", *, "get"},namespace=zoo
// +kubebuilder:rbac:namespace=zoo,roleName=set-00029,groups=apps;batch,verbs=get;list;*,resources=a;jobs;pods
// +kubebuilder:rbac:namespace=zoo,roleName=set-00092,resources=jobs;a,verbs=*;get,groups=apps;batch;core
// +kubebuilder:rbac:verbs=list;get,resources=jobs;a;pods,namespace=default,roleName=set-00020,groups=apps;batch;core
// +kubebuilder:rbac:resources=pods;a,roleName=set-00086,groups=core;batch;apps,verbs=get;list
// +kubebuilder:rbac:roleName=set-00074,verbs=list;*;get,groups=core,resources={"jobs"}
// +kubebuilder:rbac:roleName=set-00106,verbs={*, list, "get"},resources=a;pods,groups=batch;apps,resourceNames={a}
// +kubebuilder:rbac:roleName=set-00058,verbs={*, get},resources=a,groups=batch;apps
// +kubebuilder:rbac:resources=a;jobs;pods,namespace=app-a,verbs="*",resourceNames=a,groups=core;batch,roleName=set-00118
// +kubebuilder:rbac:resources=jobs;a,groups=batch,verbs=get;list,namespace=default,roleName=set-00020
// +kubebuilder:rbac:namespace=zoo,resources=jobs,roleName=set-00078,verbs=get,groups=core;batch;apps
// +kubebuilder:rbac:resourceNames="b";"a",verbs={get},groups={"core", apps, batch},resources=a,roleName=set-00030
// +kubebuilder:rbac:verbs="get";"list",roleName=set-00041,namespace=zoo,groups=apps,resources=`pods`;`a`;`jobs`
// +kubebuilder:rbac:roleName=set-00099,groups={apps, core},resourceNames=b;a,resources=`pods`;`jobs`,verbs="get"
// +kubebuilder:rbac:roleName=set-00106,resources=a;pods;jobs,verbs={"get"},groups=apps;core
// +kubebuilder:rbac:roleName=set-00015,verbs="get",resources="jobs",groups={"core", "apps"},resourceNames={b, a}
// +kubebuilder:rbac:namespace=default,roleName=set-00008,verbs={list},resources=pods;a;jobs,groups="core"
// +kubebuilder:rbac:groups={"core"},resources=a;jobs;pods,verbs=get;*;list,roleName=set-00034,namespace=app-a
// +kubebuilder:rbac:roleName=set-00012,verbs=list,resources=a,groups=core;apps;batch
// +kubebuilder:rbac:verbs=list,resources=jobs;pods;a,namespace=zoo,groups=`core`;`batch`,roleName=set-00089
// +kubebuilder:rbac:resources=pods;a,verbs=list;*,roleName=set-00110,groups=batch;core;apps
// +kubebuilder:rbac:roleName=set-00010,verbs=get;list,urls=*;/a/*;/metrics
// +kubebuilder:rbac:namespace=app-a,resources=pods;a;jobs,resourceNames=b;a,roleName=set-00098,verbs="*";"list",groups=core;batch;apps
// +kubebuilder:rbac:namespace=app-a,roleName=set-00059,resources={"pods"},verbs=get;*,groups=batch
// +kubebuilder:rbac:verbs="list",roleName=set-00004,urls=*
// +kubebuilder:rbac:resources=pods,roleName=set-00005,groups="batch";"apps",resourceNames=a;b,verbs=get
// +kubebuilder:rbac:verbs=*,roleName=set-00056,groups="core",resourceNames={"a", b},resources=pods;a
// +kubebuilder:rbac:groups=core;apps;batch,namespace=default,verbs=*;get;list,resources=a;jobs;pods,roleName=set-00027
// +kubebuilder:rbac:groups="batch",roleName=set-00102,resources="a";"jobs";"pods",namespace=default,verbs=*;get
// +kubebuilder:rbac:resourceNames=b;a,groups={apps},resources=pods;jobs;a,roleName=set-00072,verbs=*;list
// +kubebuilder:rbac:roleName=set-00095,verbs="get";"list",namespace=zoo,resources="pods",groups=batch
// +kubebuilder:rbac:groups=batch;core;apps,verbs=get;list,resources={"jobs", a, pods},roleName=set-00067
// +kubebuilder:rbac:verbs="get";"*",namespace=default,roleName=set-00073,resources="jobs";"pods";"a",groups="core";"apps",resourceNames=b
// +kubebuilder:rbac:groups=apps;core;batch,resources={"jobs"},verbs=get,roleName=set-00012
// +kubebuilder:rbac:namespace=zoo,verbs={"list"},resources=a;jobs,groups={"batch", apps, "core"},roleName=set-00085
// +kubebuilder:rbac:urls=*;/metrics,verbs=list;get,roleName=set-00099
// +kubebuilder:rbac:verbs="get";"list",groups=core;batch,resources=jobs;pods,roleName=set-00078,namespace=zoo
// +kubebuilder:rbac:namespace=default,resources=pods;jobs;a,resourceNames=`b`;`a`,roleName=set-00117,verbs=list;*,groups=`apps`
// +kubebuilder:rbac:groups=core,resources=jobs;a;pods,roleName=set-00015,verbs=get;*;list
// +kubebuilder:rbac:roleName=set-00099,verbs=get,urls=*
// +kubebuilder:rbac:roleName=set-00089,groups=apps,namespace=zoo,verbs=list,resources=pods;a;jobs
// +kubebuilder:rbac:resources="jobs",namespace=app-a,groups={batch},verbs="*",roleName=set-00069
// +kubebuilder:rbac:namespace=app-a,groups=core,resources=jobs;a,verbs=get;list,roleName=set-00062
// +kubebuilder:rbac:verbs="*";"list";"get",roleName=set-00090,namespace=app-a,resources={"a", "jobs", "pods"},groups="apps";"batch";"core"
// +kubebuilder:rbac:groups={"apps"},roleName=set-00027,namespace=default,verbs=list,resources=pods;jobs
// +kubebuilder:rbac:roleName=set-00035,groups=batch;core,resources="jobs";"a";"pods",verbs=`get`
// +kubebuilder:rbac:resources=jobs;pods;a,verbs={"*"},roleName=set-00067,groups=apps;core
// +kubebuilder:rbac:verbs=get;list;*,groups=apps;batch;core,resources=jobs,namespace=zoo,roleName=set-00096
// +kubebuilder:rbac:verbs={"list"},roleName=set-00038,groups=apps;batch;core,resources=a;jobs
// +kubebuilder:rbac:verbs="get",roleName=set-00048,urls=/a/*;/healthz;*
// +kubebuilder:rbac:groups="batch";"core",verbs="*";"list";"get",roleName=set-00016,resources=pods;a,namespace=app-a
// +kubebuilder:rbac:resources={a, "jobs", "pods"},groups=batch;apps;core,verbs=get,roleName=set-00008,namespace=default
// +kubebuilder:rbac:groups=apps,resources=jobs,roleName=set-00062,namespace=app-a,verbs="list";"*"
// +kubebuilder:rbac:roleName=set-00013,urls="/metrics";"*",verbs=list
// +kubebuilder:rbac:roleName=set-00077,verbs=get;list,groups=core;batch;apps,resources=jobs
// +kubebuilder:rbac:groups=core;apps,resources=jobs;a;pods,namespace=default,verbs=*,roleName=set-00036
// +kubebuilder:rbac:roleName=set-00117,resources=pods;jobs,verbs=list;get,namespace=default,groups={"batch"}
// +kubebuilder:rbac:roleName=set-00088,namespace=app-a,groups="core";"apps",verbs="*";"get",resources={a, jobs, "pods"}
// +kubebuilder:rbac:resources=pods,groups=apps,verbs=*;list;get,roleName=set-00094
// +kubebuilder:rbac:groups=batch,roleName=set-00103,resources=a;pods;jobs,verbs=*;get
// +kubebuilder:rbac:verbs=list,roleName=set-00082,groups=apps;core;batch,resources=jobs;a;pods,namespace=zoo
// +kubebuilder:rbac:roleName=set-00045,verbs="list",groups=apps;core;batch,resources={jobs}
// +kubebuilder:rbac:roleName=set-00062,verbs={get, "*", "list"},resourceNames=a,resources="pods";"a";"jobs",namespace=app-a,groups={"core", apps, "batch"}
// +kubebuilder:rbac:groups=batch;core;apps,verbs=list;*;get,roleName=set-00114,resources=a
// +kubebuilder:rbac:roleName=set-00022,groups=batch;core;apps,verbs=*;list,resources="a";"pods"
// +kubebuilder:rbac:groups=apps;batch;core,roleName=set-00078,namespace=zoo,resources="a";"jobs";"pods",verbs=*
// +kubebuilder:rbac:resources={"jobs", "pods"},verbs={"get", *},roleName=set-00024,groups="batch";"core";"apps",namespace=default
// +kubebuilder:rbac:resourceNames=b;a,groups={core, "batch"},verbs={"*", get, "list"},roleName=set-00004,resources=pods
// +kubebuilder:rbac:roleName=set-00000,groups=`apps`;`batch`;`core`,verbs={*, "list", "get"},resources="jobs";"pods"
// +kubebuilder:rbac:verbs=get,resources=jobs;a,groups=apps,namespace=app-a,roleName=set-00118
// +kubebuilder:rbac:groups=apps;core;batch,roleName=set-00077,verbs=get,resources=pods
// +kubebuilder:rbac:resources=pods;a;jobs,roleName=set-00055,groups=apps;batch,verbs="get"
// +kubebuilder:rbac:verbs=*;list;get,roleName=set-00080,groups=core;apps;batch,resources=a
// +kubebuilder:rbac:roleName=set-00011,groups=core;apps;batch,resources="a",namespace=default,verbs={*, list}
// +kubebuilder:rbac:resources=a;jobs;pods,namespace=default,roleName=set-00044,groups=batch;apps,verbs=*
// +kubebuilder:rbac:groups=apps;core,verbs=list;*;get,namespace=default,resourceNames=a,resources=jobs;a;pods,roleName=set-00061
// +kubebuilder:rbac:roleName=set-00010,groups=core;apps,verbs={"get"},resources=a;pods
// +kubebuilder:rbac:roleName=set-00036,namespace=default,resources={"jobs"},verbs=*;get;list,groups=apps;core;batch
// +kubebuilder:rbac:resources={pods},roleName=set-00048,groups="core";"apps",verbs=get
// +kubebuilder:rbac:resources=a,verbs=list,roleName=set-00013,groups=apps
// +kubebuilder:rbac:groups=batch;apps;core,verbs={"get"},roleName=set-00117,namespace=default,resourceNames=a,resources=jobs;a;pods
// +kubebuilder:rbac:verbs=list;get;*,resources={jobs, "pods"},roleName=set-00107,groups={"core"},namespace=app-a
// +kubebuilder:rbac:resources=a,groups="batch";"apps";"core",verbs=*;get;list,roleName=set-00118,namespace=app-a
// +kubebuilder:rbac:groups=apps;core,roleName=set-00008,verbs=list;get,namespace=default,resources=a;jobs
// +kubebuilder:rbac:groups={batch, core},resources=jobs,verbs=list;get;*,roleName=set-00068,resourceNames="b",namespace=app-a
// +kubebuilder:rbac:groups={"apps", batch},resources=a;pods,verbs=*;get;list,roleName=set-00025
// +kubebuilder:rbac:verbs=*;list;get,resources=pods,roleName=set-00052,namespace=default,groups=core;apps
// +kubebuilder:rbac:resources="jobs";"a";"pods",verbs={*},groups=apps,roleName=set-00023
// +kubebuilder:rbac:roleName=set-00055,resources=pods,verbs="list",groups=batch
// +kubebuilder:rbac:groups=core;apps;batch,roleName=set-00076,verbs=get;list,resources={"jobs"}
// +kubebuilder:rbac:namespace=app-a,groups=apps,verbs=list;*;get,resources=a;pods;jobs,roleName=set-00098
// +kubebuilder:rbac:roleName=set-00066,groups="core";"batch";"apps",verbs=list;get,resources=a;jobs
// +kubebuilder:rbac:namespace=default,groups=batch;apps;core,verbs={list},resources=jobs;a,roleName=set-00040
// +kubebuilder:rbac:verbs="list";"get",groups=apps,roleName=set-00004,resources=pods;jobs
// +kubebuilder:rbac:resources=a;pods,roleName=set-00038,groups=batch,verbs=list
// +kubebuilder:rbac:resources=a;jobs,roleName=set-00015,verbs=get;*;list,groups=batch;apps
// +kubebuilder:rbac:verbs=list;*;get,roleName=set-00034,namespace=app-a,groups=core;apps,resources="pods"
// +kubebuilder:rbac:resources="jobs";"a";"pods",groups={apps, core},roleName=set-00025,verbs="get";"list"
// +kubebuilder:rbac:namespace=default,groups=apps,roleName=set-00028,verbs=get;*;list,resources=a;pods;jobs
// +kubebuilder:rbac:groups=core;batch,roleName=set-00081,resources=a,verbs=*,namespace=default
// +kubebuilder:rbac:groups={"core", batch, apps},resourceNames=a;b,resources=pods;a,roleName=set-00034,namespace=app-a,verbs={"*", "get", list}
// +kubebuilder:rbac:verbs=get,groups="apps",resources=a,roleName=set-00040,namespace=default
// +kubebuilder:rbac:roleName=set-00031,namespace=app-a,verbs={"list", get, *},resources="jobs";"a",groups={apps, core}
// +kubebuilder:rbac:roleName=set-00089,groups=apps,namespace=zoo,verbs="get";"list";"*",resources=pods;a
// +kubebuilder:rbac:namespace=default,roleName=set-00027,verbs=`list`,groups="batch",resources="pods";"a";"jobs"
// +kubebuilder:rbac:groups=core;apps,roleName=set-00116,verbs=get;list,resources=pods;jobs
// +kubebuilder:rbac:roleName=set-00060,namespace=app-a,resources="jobs",verbs=get;list;*,groups=core;batch;apps
// +kubebuilder:rbac:verbs=get;list;*,namespace=app-a,groups="core",roleName=set-00043,resources=a;pods;jobs
// +kubebuilder:rbac:resources="a";"pods";"jobs",groups=batch,verbs={list, "get", "*"},resourceNames=`a`;`b`,roleName=set-00067
// +kubebuilder:rbac:groups=batch;core,roleName=set-00002,resources=`pods`;`jobs`,verbs="get";"list";"*"
// +kubebuilder:rbac:groups=batch,resources={"a", "jobs", "pods"},resourceNames="b",roleName=set-00077,verbs=list
// +kubebuilder:rbac:namespace=app-a,roleName=set-00090,verbs=*;get,groups=batch,resources=`a`;`pods`;`jobs`
// +kubebuilder:rbac:namespace=zoo,verbs=`get`;`list`,roleName=set-00047,groups=batch;core;apps,resources=pods;jobs,resourceNames="b"
// +kubebuilder:rbac:resources=a;jobs,verbs=list;get,groups=apps;batch,roleName=set-00006
// +kubebuilder:rbac:verbs=get,roleName=set-00021,resourceNames=b;a,groups=apps;batch;core,resources=jobs
// +kubebuilder:rbac:resources=pods;a,roleName=set-00008,verbs="get",groups="batch";"core";"apps",namespace=default
// +kubebuilder:rbac:verbs=get,groups=apps,namespace=default,resources="pods";"jobs";"a",resourceNames={a, "b"},roleName=set-00024
// +kubebuilder:rbac:resources=a,groups={"core", "apps", batch},verbs=*,namespace=default,roleName=set-00028
// +kubebuilder:rbac:verbs={"*", "get"},groups="core",resources="a";"pods",roleName=set-00051
// +kubebuilder:rbac:resources=jobs;a,groups=batch,verbs=get;*,namespace=default,roleName=set-00050
// +kubebuilder:rbac:roleName=set-00016,groups=core;batch;apps,verbs=*;get;list,resources=a;jobs;pods,namespace=app-a
// +kubebuilder:rbac:resources=`a`;`pods`;`jobs`,verbs=*;list;get,groups=core;batch,roleName=set-00055
// +kubebuilder:rbac:resources=pods;jobs;a,verbs=*,resourceNames="a";"b",groups=core;batch,roleName=set-00072
// +kubebuilder:rbac:groups=core;apps;batch,verbs=get;list;*,roleName=set-00053,resources=a;jobs
// +kubebuilder:rbac:resources=a;pods,roleName=set-00093,groups=batch,verbs=list;*;get
// +kubebuilder:rbac:groups="batch";"apps";"core",namespace=app-a,resources=a;jobs;pods,verbs=*;list;get,resourceNames=b;a,roleName=set-00059
// +kubebuilder:rbac:roleName=set-00045,verbs="get";"list";"*",resources=a;jobs,groups=apps;core
// +kubebuilder:rbac:verbs=*;get;list,groups=apps;core,resources=jobs;pods;a,resourceNames=a;b,roleName=set-00025
// +kubebuilder:rbac:roleName=set-00070,groups=apps;batch;core,resources="pods";"a",verbs=list
// +kubebuilder:rbac:roleName=set-00040,namespace=default,groups=core;apps,verbs=list;get;*,resources=jobs,resourceNames="b"
// +kubebuilder:rbac:groups=batch,resources=`a`;`jobs`;`pods`,namespace=default,verbs=get,roleName=set-00008
// +kubebuilder:rbac:resources="pods";"jobs";"a",verbs="get";"list";"*",roleName=set-00041,namespace=zoo,groups=batch
// +kubebuilder:rbac:resources={"a", jobs, "pods"},groups=apps,verbs="list";"*",roleName=set-00074
// +kubebuilder:rbac:resources=a;pods,verbs=list,roleName=set-00092,resourceNames=b,groups=apps;batch,namespace=zoo
// +kubebuilder:rbac:groups=core;apps,verbs={"*", "list", get},resources=pods;a;jobs,roleName=set-00065
// +kubebuilder:rbac:roleName=set-00016,groups="batch";"core",resources=pods;a;jobs,namespace=app-a,verbs=list
// +kubebuilder:rbac:roleName=set-00004,urls=/a/*;/healthz;/metrics,verbs=*;list
// +kubebuilder:rbac:roleName=set-00067,verbs=list;*,resources=a;jobs,groups=apps;core
// +kubebuilder:rbac:roleName=set-00079,verbs=get,resourceNames=b,resources={"a"},groups=core;batch
// +kubebuilder:rbac:namespace=app-a,resources=jobs;pods;a,groups={"apps"},roleName=set-00018,verbs=*
// +kubebuilder:rbac:verbs="*";"get",resources=`pods`;`a`;`jobs`,groups=batch;apps;core,roleName=set-00039
// +kubebuilder:rbac:verbs="*";"list",resources=`pods`;`jobs`;`a`,groups=core;apps;batch,roleName=set-00086
// +kubebuilder:rbac:roleName=set-00075,namespace=app-a,groups=batch,resourceNames="a";"b",resources=a;jobs;pods,verbs=*
// +kubebuilder:rbac:verbs=list,urls="/metrics";"/healthz",roleName=set-00012
// +kubebuilder:rbac:roleName=set-00103,urls=/healthz,verbs=list;*
// +kubebuilder:rbac:namespace=zoo,verbs=get;list,resources={"a"},groups=core,roleName=set-00095
// +kubebuilder:rbac:groups=apps;core;batch,roleName=set-00037,verbs=get,resources="jobs"
// +kubebuilder:rbac:urls=`*`;`/a/*`,verbs="*";"get";"list",roleName=set-00099
// +kubebuilder:rbac:roleName=set-00000,verbs=*;get,resources="a";"pods",groups=apps;batch;core
// +kubebuilder:rbac:groups=apps,verbs="list";"get";"*",resourceNames={a, b},resources="a";"pods",roleName=set-00025
// +kubebuilder:rbac:resources={"a", pods},verbs={"get", list},groups={apps},namespace=default,roleName=set-00117
// +kubebuilder:rbac:roleName=set-00043,verbs=*,resourceNames={b, "a"},resources=jobs,groups=apps;core;batch,namespace=app-a
// +kubebuilder:rbac:roleName=set-00080,verbs={get, list},resources=jobs;a,groups=core;apps;batch
// +kubebuilder:rbac:verbs=get,resources=pods;jobs;a,roleName=set-00045,groups=`core`;`batch`;`apps`
// +kubebuilder:rbac:resources=a;pods,verbs="list";"get";"*",roleName=set-00112,groups=core;apps
// +kubebuilder:rbac:resourceNames=a,groups=core,roleName=set-00088,verbs={list, "get"},namespace=app-a,resources=a;pods;jobs
// +kubebuilder:rbac:roleName=set-00021,groups="apps",resources={"pods", a, jobs},verbs=get
// +kubebuilder:rbac:roleName=set-00102,namespace=default,resourceNames=`a`,resources=a;pods;jobs,groups=core,verbs=`get`;`list`;`*`
// +kubebuilder:rbac:verbs="*";"list";"get",roleName=set-00053,groups=apps;batch,resources=pods
// +kubebuilder:rbac:roleName=set-00067,resources=jobs;pods,groups=core;apps,resourceNames=a;b,verbs=list
// +kubebuilder:rbac:roleName=set-00107,namespace=app-a,groups=core,verbs={list, "*"},resources=`a`;`jobs`;`pods`,resourceNames="b"
// +kubebuilder:rbac:groups=apps;core,resources=a,roleName=set-00033,verbs=get;list;*
// +kubebuilder:rbac:verbs="*",groups=batch,roleName=set-00007,resources=a;jobs;pods
// +kubebuilder:rbac:verbs="get",resourceNames=`a`,namespace=app-a,groups=batch;core,resources=a;jobs,roleName=set-00107
// +kubebuilder:rbac:verbs="*";"get";"list",roleName=set-00093,resourceNames=b;a,groups="batch";"apps",resources=a
// +kubebuilder:rbac:verbs=*,roleName=set-00109,urls=/a/*
// +kubebuilder:rbac:roleName=set-00022,verbs=list;*;get,groups=batch;apps;core,resources=a
// +kubebuilder:rbac:verbs=*;get,namespace=zoo,resourceNames=a;b,roleName=set-00041,groups=core,resources={"pods", a}
// +kubebuilder:rbac:verbs={"list", get},groups=apps;batch,resources=a,roleName=set-00084
// +kubebuilder:rbac:namespace=default,verbs=list;*;get,groups=batch,roleName=set-00073,resources={jobs, a}
// +kubebuilder:rbac:resources={pods, "a", "jobs"},groups="core";"batch",verbs={"list", *, "get"},roleName=set-00055
// +kubebuilder:rbac:verbs="list",roleName=set-00111,namespace=zoo,groups="core";"apps",resources=pods;jobs
// +kubebuilder:rbac:roleName=set-00033,resourceNames=b;a,resources="pods",groups=apps;core,verbs=get
// +kubebuilder:rbac:groups=apps;core,resourceNames=b,verbs={get, "list"},resources=jobs;a,roleName=set-00098,namespace=app-a
// +kubebuilder:rbac:roleName=set-00062,verbs={"get"},namespace=app-a,resources=jobs;a,groups={core, "apps"},resourceNames=b
// +kubebuilder:rbac:resources=a,verbs=get;list,groups=core,roleName=set-00098,namespace=app-a
// +kubebuilder:rbac:verbs="list";"get";"*",roleName=set-00010,urls={/healthz}
// +kubebuilder:rbac:namespace=app-a,verbs=*;get;list,roleName=set-00105,resourceNames="b",resources=jobs,groups=core
// +kubebuilder:rbac:namespace=default,roleName=set-00083,resources=pods;a,groups=`batch`;`core`;`apps`,verbs=list,resourceNames=b
// +kubebuilder:rbac:roleName=set-00005,resources=`pods`,resourceNames=b,groups=apps;core;batch,verbs=get
// +kubebuilder:rbac:roleName=set-00054,resources=a;pods,verbs={"*"},groups="batch";"core"
// +kubebuilder:rbac:groups=batch;core,namespace=app-a,verbs=*;get;list,resources=jobs;pods,roleName=set-00107
// +kubebuilder:rbac:roleName=set-00055,verbs=list;get,resources=a,groups=batch;core,resourceNames={b, "a"}
// +kubebuilder:rbac:resources="jobs",roleName=set-00086,verbs="*",groups={"core", "apps", "batch"}
// +kubebuilder:rbac:verbs=get,groups=apps;core;batch,roleName=set-00077,resources=a;jobs
// +kubebuilder:rbac:roleName=set-00106,resourceNames=b,verbs=*;get;list,groups=batch;apps,resources=jobs;a
// +kubebuilder:rbac:namespace=zoo,groups="core";"batch";"apps",verbs=*,roleName=set-00082,resources=jobs
// +kubebuilder:rbac:resources=jobs;pods,verbs=*;list;get,namespace=zoo,groups=apps;batch,roleName=set-00085
// +kubebuilder:rbac:resources={"pods"},roleName=set-00100,verbs=get;*,groups=core;batch
// +kubebuilder:rbac:resources=pods;a,roleName=set-00099,groups=batch;apps;core,verbs=get;*;list
// +kubebuilder:rbac:roleName=set-00012,resources=a,groups="apps";"core",verbs=*
// +kubebuilder:rbac:groups=apps;batch;core,verbs=get,namespace=default,roleName=set-00083,resources=pods;jobs;a
// +kubebuilder:rbac:groups=apps;batch;core,verbs=list;*;get,roleName=set-00033,resources=a;jobs;pods,resourceNames=a;b
// +kubebuilder:rbac:namespace=default,roleName=set-00083,groups=core;apps,resources=pods,verbs={get}
// +kubebuilder:rbac:groups=core,roleName=set-00067,verbs={list, "get", "*"},resources="jobs";"pods";"a"
// +kubebuilder:rbac:namespace=default,groups=`apps`;`batch`,roleName=set-00102,resources=a;pods;jobs,verbs="list";"get";"*"
// +kubebuilder:rbac:namespace=app-a,groups=core,resources=pods;a;jobs,verbs=list,roleName=set-00003
// +kubebuilder:rbac:resources=jobs;a;pods,roleName=set-00033,groups="apps";"core",resourceNames="a";"b",verbs=*;list
// +kubebuilder:rbac:namespace=default,resources=pods,roleName=set-00117,groups="core",verbs=get;*,resourceNames=a
// +kubebuilder:rbac:groups="batch",namespace=app-a,resources=pods;a;jobs,verbs=*;get;list,roleName=set-00105
// +kubebuilder:rbac:verbs=*,roleName=set-00048,urls=/healthz;*;/a/*
// +kubebuilder:rbac:resources=pods,roleName=set-00045,groups=`apps`,verbs=*
// +kubebuilder:rbac:resources=pods;a,resourceNames=b,groups=core;apps,roleName=set-00033,verbs="list";"*"
// +kubebuilder:rbac:resourceNames=b;a,roleName=set-00018,groups=apps;core,namespace=app-a,resources=pods;a;jobs,verbs="list";"get";"*"
// +kubebuilder:rbac:namespace=app-a,groups=core;apps,resources=a;jobs;pods,verbs="list";"get";"*",roleName=set-00016
// +kubebuilder:rbac:resourceNames=b,groups=apps,roleName=set-00119,resources=`jobs`;`a`,verbs=list;get,namespace=zoo
// +kubebuilder:rbac:resources=a;jobs,roleName=set-00058,groups={"batch", "apps"},verbs=get
// +kubebuilder:rbac:groups="batch";"apps",resources=pods;jobs;a,roleName=set-00090,namespace=app-a,verbs=*;list
// +kubebuilder:rbac:verbs=*,roleName=set-00038,groups=batch,resources=pods;jobs
// +kubebuilder:rbac:resources=a;pods;jobs,namespace=zoo,resourceNames={a},verbs=list,groups=core;apps,roleName=set-00092
// +kubebuilder:rbac:namespace=default,roleName=set-00050,verbs=`list`;`*`;`get`,resources={"a", pods, "jobs"},groups=batch
// +kubebuilder:rbac:roleName=set-00013,groups=core;apps,resources="jobs";"a",verbs=*
// +kubebuilder:rbac:roleName=set-00007,groups=apps,verbs="get",resources="a";"jobs"
// +kubebuilder:rbac:verbs=list;get,resources=a;jobs;pods,roleName=set-00038,groups=apps
// +kubebuilder:rbac:groups="batch",namespace=zoo,roleName=set-00095,verbs=*;get;list,resources="a"
// +kubebuilder:rbac:groups="batch";"apps";"core",resources="a",verbs=get;list,roleName=set-00076
// +kubebuilder:rbac:roleName=set-00004,groups=core,resources=pods,resourceNames=a;b,verbs=list;get;*
// +kubebuilder:rbac:resources=jobs;pods,namespace=app-a,verbs=list;get;*,groups=apps;batch;core,roleName=set-00068
// +kubebuilder:rbac:groups=batch,resources=pods,verbs="get";"*",roleName=set-00017
// +kubebuilder:rbac:resources={"pods", "jobs", a},groups=core,namespace=app-a,roleName=set-00118,verbs=list
// +kubebuilder:rbac:groups={"core", apps},resources={"a"},roleName=set-00116,verbs=list;get
// +kubebuilder:rbac:namespace=app-a,verbs=get;*;list,resources=a;jobs;pods,roleName=set-00043,groups=apps;core;batch
// +kubebuilder:rbac:namespace=app-a,groups=batch,resources={"a", "jobs"},roleName=set-00003,resourceNames="b";"a",verbs=list;get
// +kubebuilder:rbac:namespace=app-a,verbs=get,groups={"apps", "core", "batch"},roleName=set-00043,resources="pods";"jobs";"a"
// +kubebuilder:rbac:verbs=`get`;`list`;`*`,resources="pods";"a",resourceNames=b,groups=apps;core,roleName=set-00032
// +kubebuilder:rbac:resourceNames=b,roleName=set-00005,resources=a;jobs,verbs=*,groups=apps;batch;core
// +kubebuilder:rbac:resourceNames=`b`,resources=pods;a;jobs,roleName=set-00079,groups=apps;core,verbs="*"
// +kubebuilder:rbac:resources=jobs;pods;a,groups="batch";"apps";"core",verbs=*;list;get,roleName=set-00084
// +kubebuilder:rbac:resources=`pods`;`jobs`,roleName=set-00011,namespace=default,groups=apps,verbs=get;*
// +kubebuilder:rbac:verbs="list";"*",groups=batch;core,roleName=set-00006,resources=jobs;pods
// +kubebuilder:rbac:resources="a";"pods";"jobs",verbs=get,namespace=zoo,groups=batch;core;apps,roleName=set-00089
// +kubebuilder:rbac:resources=jobs,groups=core,verbs={"*", "list"},roleName=set-00033
// +kubebuilder:rbac:verbs=*,resources=a,groups=apps,roleName=set-00076
// +kubebuilder:rbac:groups=batch;apps,roleName=set-00018,namespace=app-a,verbs={"*", "list", "get"},resources=jobs;pods
// +kubebuilder:rbac:roleName=set-00026,groups=core;apps;batch,namespace=default,verbs="list";"get";"*",resources=pods;jobs
// +kubebuilder:rbac:verbs=list,resources=pods;a;jobs,roleName=set-00105,groups=core,resourceNames={"a", "b"},namespace=app-a
// +kubebuilder:rbac:resources="a",roleName=set-00066,groups=batch;apps,verbs={"get"}
// +kubebuilder:rbac:groups=apps;core,roleName=set-00045,verbs=*,resources=a;pods;jobs
// +kubebuilder:rbac:namespace=zoo,resources=a,groups=batch,verbs="get",roleName=set-00095
// +kubebuilder:rbac:groups="apps",verbs={"get", "*"},resources=jobs;a;pods,roleName=set-00021
// +kubebuilder:rbac:namespace=default,verbs=`get`;`*`;`list`,roleName=set-00020,resources=a;pods;jobs,groups=batch
// +kubebuilder:rbac:resources=a;pods,namespace=default,roleName=set-00028,groups=batch;apps;core,verbs=*;get;list
// +kubebuilder:rbac:groups=batch;apps,resources=jobs,verbs={get, *, list},roleName=set-00049
// +kubebuilder:rbac:resources={a, "pods"},groups=batch;apps;core,verbs=list,roleName=set-00042
// +kubebuilder:rbac:resources={pods, a},namespace=app-a,roleName=set-00105,verbs={"list"},groups={core}
// +kubebuilder:rbac:namespace=app-a,groups=batch,resources=a;pods;jobs,verbs={"list", get, "*"},roleName=set-00118
// +kubebuilder:rbac:roleName=set-00060,namespace=app-a,verbs=*,groups=batch;apps;core,resources=pods;jobs;a
// +kubebuilder:rbac:resources="pods",roleName=set-00104,groups=`core`;`batch`;`apps`,verbs=*;list
// +kubebuilder:rbac:verbs=*,groups=apps;batch;core,roleName=set-00057,resources=pods;a;jobs
// +kubebuilder:rbac:roleName=set-00074,groups=core;apps;batch,verbs=*;get;list,resources=jobs;pods;a
// +kubebuilder:rbac:groups="apps",resources=a;jobs;pods,roleName=set-00020,verbs=*;get,namespace=default
// +kubebuilder:rbac:verbs=list;*,urls=/metrics;*;/healthz,roleName=set-00066
// +kubebuilder:rbac:verbs=*;get,resources=pods;a;jobs,roleName=set-00055,groups={core, "batch", "apps"}
// +kubebuilder:rbac:groups=core;apps;batch,resources={"pods", jobs, a},verbs=get;*;list,roleName=set-00054
// +kubebuilder:rbac:resourceNames=`a`;`b`,resources="a",verbs=`*`;`get`,roleName=set-00007,groups=apps;batch
// +kubebuilder:rbac:verbs=`*`,groups=batch;apps,roleName=set-00086,resources=pods
// +kubebuilder:rbac:resources=pods,namespace=app-a,verbs=*;list;get,groups=batch;apps,roleName=set-00018
// +kubebuilder:rbac:verbs=get;list,roleName=set-00015,urls=/healthz;/metrics;/a/*
// +kubebuilder:rbac:resources=jobs;pods,groups=batch;apps,verbs={"list", "*"},roleName=set-00021,resourceNames=b
// +kubebuilder:rbac:roleName=set-00038,resources=a;pods,verbs=get;list,groups={"batch"}
// +kubebuilder:rbac:groups=apps;core,roleName=set-00100,resources={"a", "jobs", pods},verbs=get
// +kubebuilder:rbac:urls=*;/a/*;/metrics,verbs="list";"*";"get",roleName=set-00064
// +kubebuilder:rbac:resourceNames=b;a,roleName=set-00103,verbs={*, get},groups={batch, apps},resources=jobs;a;pods
// +kubebuilder:rbac:roleName=set-00034,resources="a";"jobs";"pods",resourceNames=b;a,namespace=app-a,groups=apps;batch;core,verbs={"get"}
// +kubebuilder:rbac:roleName=set-00036,resources=jobs;pods;a,groups="apps",verbs=list;*,namespace=default
// +kubebuilder:rbac:resources="a";"jobs";"pods",roleName=set-00033,verbs="get";"list";"*",resourceNames="b";"a",groups=batch;apps
// +kubebuilder:rbac:namespace=zoo,verbs=*,roleName=set-00089,resources=pods;a,groups=`core`;`apps`;`batch`
// +kubebuilder:rbac:resources=pods;a;jobs,verbs=`get`;`list`,resourceNames={"b"},roleName=set-00094,groups=apps;core
// +kubebuilder:rbac:groups=core;apps;batch,resources="pods",namespace=app-a,roleName=set-00034,verbs={*, get}
// +kubebuilder:rbac:urls={/healthz, *, /metrics},roleName=set-00093,verbs="get";"list";"*"
// +kubebuilder:rbac:groups={batch, core},verbs={"get", "list"},roleName=set-00117,namespace=default,resources={"pods", jobs, a}
// +kubebuilder:rbac:resources=a,roleName=set-00110,groups=apps,verbs=get;*
// +kubebuilder:rbac:verbs={list},namespace=app-a,resourceNames=b;a,resources="pods";"jobs";"a",roleName=set-00062,groups=core;apps
// +kubebuilder:rbac:groups=apps;batch,roleName=set-00055,resourceNames=a;b,resources=`jobs`,verbs=list
// +kubebuilder:rbac:groups={apps, "batch"},resourceNames="b";"a",roleName=set-00110,verbs=list;*;get,resources=pods
// +kubebuilder:rbac:groups=batch,resources=pods;a,verbs=*;get;list,roleName=set-00114
// +kubebuilder:rbac:roleName=set-00107,resources=pods;a,resourceNames=a;b,groups=core;batch,verbs="*";"get",namespace=app-a
// +kubebuilder:rbac:groups=batch;apps,verbs=list,roleName=set-00072,resources={jobs, "a", pods}
// +kubebuilder:rbac:verbs=list;get,groups=batch;apps,resources=pods;a;jobs,roleName=set-00041,namespace=zoo
// +kubebuilder:rbac:verbs={*, get, "list"},groups="batch",roleName=set-00034,namespace=app-a,resources=`pods`
// +kubebuilder:rbac:resources=a,groups=core;apps,roleName=set-00074,verbs=get
// +kubebuilder:rbac:resourceNames=`a`,groups=core;batch,verbs={"*", get, list},roleName=set-00114,resources="jobs";"pods"
// +kubebuilder:rbac:roleName=set-00007,resources={"a"},verbs={"get", "*", "list"},groups=`core`;`apps`
// +kubebuilder:rbac:resourceNames=b,resources=a;jobs,roleName=set-00040,verbs=*;get,namespace=default,groups=core
// +kubebuilder:rbac:groups=apps;batch;core,resources=jobs,verbs={"get"},namespace=default,roleName=set-00011,resourceNames="a"
// +kubebuilder:rbac:groups=core,roleName=set-00071,verbs=list,resources=a
// +kubebuilder:rbac:groups=core;batch,resources="jobs";"pods",verbs=list,roleName=set-00086
// +kubebuilder:rbac:roleName=set-00099,groups=core;apps,verbs=get,resources="jobs";"pods";"a"
// +kubebuilder:rbac:verbs=list;get,resources=jobs;a;pods,roleName=set-00004,groups="core";"batch";"apps"
// +kubebuilder:rbac:namespace=zoo,roleName=set-00085,resources=a;pods;jobs,groups={batch, "apps", core},verbs=*;list
// +kubebuilder:rbac:roleName=set-00097,verbs="*";"get";"list",groups=batch,resourceNames=b;a,resources=a;jobs;pods
// +kubebuilder:rbac:roleName=set-00015,verbs="*";"list",groups="core",resources={"a", jobs, "pods"}
// +kubebuilder:rbac:groups=apps;batch;core,verbs=`list`,namespace=default,resourceNames=b;a,resources=a,roleName=set-00020
// +kubebuilder:rbac:resources={"pods", jobs},groups=batch,roleName=set-00005,verbs=*
// +kubebuilder:rbac:namespace=zoo,resources=a;jobs;pods,roleName=set-00089,groups=core;batch;apps,verbs=list
// +kubebuilder:rbac:namespace=app-a,verbs=*,groups=apps,resources=jobs;a;pods,roleName=set-00043
// +kubebuilder:rbac:verbs={"*", "get", "list"},namespace=app-a,groups=apps;core,resourceNames={"a"},roleName=set-00003,resources=jobs;pods;a
// +kubebuilder:rbac:verbs=*;list;get,roleName=set-00088,groups=apps;batch,namespace=app-a,resourceNames={"a", "b"},resources=pods
// +kubebuilder:rbac:verbs=list,resources=a,namespace=default,groups=core,roleName=set-00052,resourceNames=a
// +kubebuilder:rbac:groups=core;apps,verbs=*;list,roleName=set-00038,resources=`jobs`;`a`;`pods`
// +kubebuilder:rbac:verbs=*;list,roleName=set-00024,groups=apps;core,namespace=default,resources={jobs, a}
// +kubebuilder:rbac:roleName=set-00071,resources=jobs;a;pods,verbs={"list", *},groups={"apps", "core"}
// +kubebuilder:rbac:verbs=get,namespace=default,roleName=set-00102,resources=`a`;`jobs`,groups="apps"
// +kubebuilder:rbac:verbs={"list"},urls=/metrics;/a/*,roleName=set-00076
// +kubebuilder:rbac:roleName=set-00085,verbs={list},groups=core;batch;apps,resources=jobs;pods;a,namespace=zoo
// +kubebuilder:rbac:verbs=list,roleName=set-00060,groups="batch",namespace=app-a,resources=a;pods
// +kubebuilder:rbac:resources="a",groups={"core"},verbs=*;get,namespace=default,roleName=set-00115
// +kubebuilder:rbac:resources="pods",resourceNames=b,roleName=set-00004,groups=apps;batch;core,verbs=list;*;get
// +kubebuilder:rbac:resources=`jobs`;`pods`,groups=apps;core;batch,roleName=set-00015,resourceNames={b, "a"},verbs={get, "list", *}
// +kubebuilder:rbac:groups=apps,verbs=*,resources=jobs;a;pods,roleName=set-00058
